import { inputRequired, inputResponse, type ElicitInputParams, type McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

const said = (text: string): { content: { type: 'text'; text: string }[] } => ({ content: [{ type: 'text', text }] })

const USER = {
  type: 'object' as const,
  properties: {
    username: { type: 'string' as const, description: "User's response" },
    email: { type: 'string' as const, description: "User's email address" },
  },
  required: ['username', 'email'],
}
/** A default for every primitive type (SEP-1034). */
const DEFAULTS = {
  type: 'object' as const,
  properties: {
    name: { type: 'string' as const, default: 'John Doe' },
    age: { type: 'integer' as const, default: 30 },
    score: { type: 'number' as const, default: 95.5 },
    status: { type: 'string' as const, enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean' as const, default: true },
  },
}
const titled = (prefix: string, word: string): { const: string; title: string }[] =>
  ['First', 'Second', 'Third'].map((title, index) => ({ const: `${prefix}${index + 1}`, title: `${title} ${word}` }))
/** Every way to spell a choice (SEP-1330). */
const CHOICES = {
  type: 'object' as const,
  properties: {
    untitledSingle: { type: 'string' as const, enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string' as const, oneOf: titled('value', 'Option') },
    legacyEnum: {
      type: 'string' as const,
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: {
      type: 'array' as const,
      items: { type: 'string' as const, enum: ['option1', 'option2', 'option3'] },
    },
    titledMulti: { type: 'array' as const, items: { anyOf: titled('value', 'Choice') } },
  },
}

/**
 * The tools that ask the client in the middle of a call, as the scenarios of 2025-11-25 name them. To a modern client the
 * question goes as `input_required`, to a legacy one the SDK sends it as a request.
 */
export function registerQuestionTools(server: McpServer): void {
  server.registerTool(
    'test_sampling',
    { description: 'Asks the model', inputSchema: z.object({ prompt: z.string() }) },
    ({ prompt }, context) => {
      const answer = inputResponse(context.mcpReq.inputResponses, 'model')
      if (answer.kind === 'sampling') return said(`LLM response: ${JSON.stringify(answer.result.content)}`)
      const model = inputRequired.createMessage({
        messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
        maxTokens: 100,
      })
      return inputRequired({ inputRequests: { model } })
    },
  )
  server.registerTool(
    'test_elicitation',
    { description: 'Asks the user', inputSchema: z.object({ message: z.string() }) },
    ({ message }, context) => asked('User response', { message, requestedSchema: USER }, context.mcpReq.inputResponses),
  )
  const forms = { test_elicitation_sep1034_defaults: DEFAULTS, test_elicitation_sep1330_enums: CHOICES }
  for (const [name, requestedSchema] of Object.entries(forms)) {
    server.registerTool(name, { description: 'Asks the user by a form' }, (context) =>
      asked(
        'Elicitation completed',
        { message: 'Please fill in the form', requestedSchema },
        context.mcpReq.inputResponses,
      ),
    )
  }
  server.registerTool('test_reconnection', { description: 'Ends the stream before the answer' }, (context) => {
    context.http?.closeSSE?.()
    return said('Reconnection test completed')
  })
}

function asked(
  what: string,
  question: ElicitInputParams,
  answers: Parameters<typeof inputResponse>[0],
): ReturnType<typeof said> | ReturnType<typeof inputRequired> {
  const answer = inputResponse(answers, 'user')
  if (answer.kind === 'elicit')
    return said(`${what}: action=${answer.action}, content=${JSON.stringify(answer.content)}`)
  return inputRequired({ inputRequests: { user: inputRequired.elicit(question) } })
}
