import { setTimeout as pause } from 'node:timers/promises'
import { fromJsonSchema, inputRequired, type McpServer, type ServerNotifier } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** One red pixel. */
export const IMAGE = {
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  mimeType: 'image/png',
}
/** A WAV file of one sample. */
const AUDIO = { data: 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=', mimeType: 'audio/wav' }

const text = (value: string): { type: 'text'; text: string } => ({ type: 'text', text: value })

/** The tools that answer in one round. */
export function registerTools(server: McpServer, notifier: () => ServerNotifier): void {
  server.registerTool('test_simple_text', { description: 'One text' }, () => ({
    content: [text('This is a simple text response for testing.')],
  }))

  server.registerTool('test_image_content', { description: 'One image' }, () => ({
    content: [{ type: 'image', ...IMAGE }],
  }))

  server.registerTool('test_audio_content', { description: 'One sound' }, () => ({
    content: [{ type: 'audio', ...AUDIO }],
  }))

  server.registerTool('test_embedded_resource', { description: 'One embedded resource' }, () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }))

  server.registerTool('test_multiple_content_types', { description: 'A text, an image and a resource' }, () => ({
    content: [
      text('Multiple content types test:'),
      { type: 'image', ...IMAGE },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }))

  server.registerTool('test_error_handling', { description: 'Always fails' }, () => {
    throw new Error('This tool intentionally returns an error for testing')
  })

  server.registerTool('test_tool_with_logging', { description: 'Three log messages' }, async (context) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await context.mcpReq.log('info', data)
      await pause(50)
    }
    return { content: [text('Tool with logging executed successfully')] }
  })

  server.registerTool('test_logging_tool', { description: 'Logs at every level' }, async (context) => {
    for (const level of ['debug', 'info', 'warning', 'error'] as const) await context.mcpReq.log(level, `at ${level}`)
    return { content: [text('logged')] }
  })

  server.registerTool('test_tool_with_progress', { description: 'Progress 0, 50, 100 of 100' }, async (context) => {
    const progressToken = context.mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        const message = `Completed step ${progress} of 100`
        await context.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100, message },
        })
      }
      if (progress < 100) await pause(50)
    }
    return { content: [text(String(progressToken))] }
  })

  server.registerTool(
    'test_wait',
    { description: 'Answers when it is cancelled, or after a minute' },
    async (context) => {
      await pause(60_000, undefined, { signal: context.mcpReq.signal })
      return { content: [text('waited')] }
    },
  )

  const headerSchema = {
    type: 'object' as const,
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    required: ['region'],
  }
  server.registerTool(
    'test_x_mcp_header',
    { description: 'Mirrors an argument in a header', inputSchema: fromJsonSchema<{ region: string }>(headerSchema) },
    ({ region }) => ({ content: [text(`region ${region}`)] }),
  )

  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'A schema with the vocabulary of JSON Schema 2020-12', inputSchema: fromJsonSchema(VOCABULARY) },
    (given) => ({ content: [text(JSON.stringify(given))] }),
  )

  server.registerTool('test_missing_capability', { description: 'Needs sampling, whatever the client declared' }, () =>
    inputRequired({
      inputRequests: {
        needed: inputRequired.createMessage({
          messages: [{ role: 'user', content: text('Say something') }],
          maxTokens: 10,
        }),
      },
    }),
  )

  server.registerTool('test_streaming_elicitation', { description: 'Progress, then a question' }, async (context) => {
    const progressToken = context.mcpReq._meta?.progressToken
    if (progressToken !== undefined) {
      await context.mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress: 1, total: 2 },
      })
    }
    const requestedSchema = z.object({ name: z.string() })
    return inputRequired({
      inputRequests: { user_name: inputRequired.elicit({ message: 'What is your name?', requestedSchema }) },
    })
  })

  server.registerTool('test_trigger_tool_change', { description: 'Announces a change of the tools' }, () => {
    notifier().toolsChanged()
    return { content: [text('announced')] }
  })

  server.registerTool('test_trigger_prompt_change', { description: 'Announces a change of the prompts' }, () => {
    notifier().promptsChanged()
    return { content: [text('announced')] }
  })
}

const VOCABULARY = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}
