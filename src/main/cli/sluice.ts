#!/usr/bin/env node
import { Command } from 'commander'
import { readVersion } from '../places'
import { addCaptureCommand } from './capture'
import { addConfigCommand } from './config'
import { addConnectCommand } from './connect'
import { addFindingsCommand } from './findings'
import { addReplayCommand } from './replay'
import { addSecretCommand } from './secret'
import { addServeCommand } from './serve'

const program = new Command('sluice')
  .description('An inspector-proxy for the Model Context Protocol: one endpoint for your MCP servers, every call live.')
  .version(readVersion())
  .showHelpAfterError('Try `sluice --help`, or --help after a command.')
  // Like a configuration that cannot be used: the caller has to change something.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
addServeCommand(program)
addConnectCommand(program)
addConfigCommand(program)
addReplayCommand(program)
addCaptureCommand(program)
addFindingsCommand(program)
addSecretCommand(program)

// A reader that went away (`sluice serve | head`) is no reason to stop serving.
process.stdout.on('error', ignoreBrokenPipe)
process.stderr.on('error', ignoreBrokenPipe)

await program.parseAsync()

function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
