import { type Command, InvalidArgumentError, Option } from 'commander'
import { type CallRange, parseCallRanges } from '../../shared/capture/call-selection'
import { dataDirectory } from '../places'
import { captureExportCommand, EXPORT_FORMATS, type ExportFlags } from './capture-export'
import { captureImportCommand } from './capture-import'
import { captureInfoCommand, captureVerifyCommand, type InfoFlags } from './capture-info'
import { captureCutCommand, captureRedactCommand, type CutFlags, type RedactFlags } from './capture-rewrite'
import { readFrom, writeTo } from './file-argument'

const FILTER_HELP = `
FILTER is what the desk's filter takes, for instance: backend:weather outcome:error dur:>500ms
With a call come the other rounds of its operation.`

export function addCaptureCommand(program: Command): void {
  const capture = program.command('capture').description('look into capture files, cut, redact, export and import them')

  withData(capture.command('info').description('what a capture is about, and what could not be read of it'))
    .argument('<file>', 'capture file', readFrom)
    .option('--json', 'as JSON', false)
    .addHelpText('after', '\nExits with 0 also for a torn or partly broken file, and with 2 for what is no capture.')
    .action((file: string, flags: InfoFlags) => captureInfoCommand(file, flags))

  capture
    .command('verify')
    .description('read a capture from its beginning to its end and say what is wrong with it')
    .argument('<file>', 'capture file', readFrom)
    .option('--json', 'as JSON', false)
    .addHelpText('after', '\nExits with 0 when it is intact, with 1 when it is not, with 2 for what is no capture.')
    .action((file: string, flags: { json: boolean }) => captureVerifyCommand(file, flags))

  withSelection(
    withOutput(withData(capture.command('cut').description('write some calls of a capture to another file'))),
  )
    .argument('<file>', 'capture file', readFrom)
    .addHelpText('after', FILTER_HELP)
    .action((file: string, flags: CutFlags) => captureCutCommand(file, flags))

  withNames(
    withOutput(withData(capture.command('redact').description('write a capture without its secrets to another file'))),
  )
    .argument('<file>', 'capture file', readFrom)
    .addHelpText(
      'after',
      '\nTaken out are members with the names of secrets, request states, contents of files, and what is named here.',
    )
    .action((file: string, flags: RedactFlags & { data: string }) => captureRedactCommand(file, flags))

  withSelection(
    withNames(
      withOutput(withData(capture.command('export').description('write a capture for others, or for other tools'))),
    ),
  )
    .argument('<file>', 'capture file', readFrom)
    .addOption(new Option('--format <format>', 'what to write').choices(EXPORT_FORMATS).default('capture'))
    .option('--with-sensitive-data', 'do not redact again: states, tokens and files go with it', false)
    .addHelpText('after', FILTER_HELP)
    .action((file: string, flags: ExportFlags) => captureExportCommand(file, flags))

  withNames(withOutput(capture.command('import').description('make a capture of the MCP calls in a HAR file')))
    .argument('<file>', 'HAR 1.2 file, of a browser or a proxy', readFrom)
    .addHelpText('after', '\nAuthorization, cookies and what is named here are redacted, as in a recording.')
    .action((file: string, flags: RedactFlags) => captureImportCommand(file, flags))
}

function withData(command: Command): Command {
  return command.option('--data <folder>', 'where keys, and indexes of large captures, are kept', dataDirectory())
}

function withOutput(command: Command): Command {
  return command
    .requiredOption('--out <file>', 'file to write, for this user only', writeTo)
    .option('--force', 'replace the file when it is there already', false)
}

function withSelection(command: Command): Command {
  return command
    .option('--only <filter>', 'calls that a filter matches')
    .option('--calls <list>', 'calls by their numbers: 1,5-9,20-', readCallRanges)
}

function withNames(command: Command): Command {
  const more = (value: string, before: string[]): string[] => [...before, value]
  return command
    .option('--header <name>', 'redact this header field, too (repeatable)', more, [])
    .option('--key <name>', 'redact JSON members of this name, too (repeatable)', more, [])
    .option('--path <pointer>', 'redact this place in messages, too; * stands for any member (repeatable)', more, [])
}

function readCallRanges(text: string): CallRange[] {
  const ranges = parseCallRanges(text)
  if (ranges === undefined) throw new InvalidArgumentError('Calls are numbers and ranges, as in 1,5-9,20-.')
  return ranges
}
