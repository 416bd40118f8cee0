import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type InputRequests,
  type McpServer,
  type RequestStateCodec,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { RoundState } from './fixture'

const Name = z.object({ name: z.string() })
const Confirmation = z.object({ ok: z.boolean() })
const Color = z.object({ color: z.string() })
/** The published type of the envelope has no members. */
const Envelope = z.object({ [CLIENT_CAPABILITIES_META_KEY]: z.record(z.string(), z.unknown()) })

const said = (value: string): { content: { type: 'text'; text: string }[] } => ({
  content: [{ type: 'text', text: value }],
})
const askName = (message = 'What is your name?') => inputRequired.elicit({ message, requestedSchema: Name })
const askModel = (prompt: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens })

/** The tools that need answers of the user, the model or the client before they are done (basic/patterns/mrtr). */
export function registerInputTools(server: McpServer, states: RequestStateCodec<RoundState>): void {
  server.registerTool('test_input_required_result_elicitation', { description: 'Asks for a name' }, (context) => {
    const answer = acceptedContent(context.mcpReq.inputResponses, 'user_name', Name)
    if (!answer) return inputRequired({ inputRequests: { user_name: askName() } })
    return said(`Hello, ${answer.name}!`)
  })

  server.registerTool('test_input_required_result_sampling', { description: 'Asks the model' }, (context) => {
    const answer = inputResponse(context.mcpReq.inputResponses, 'capital_question')
    if (answer.kind !== 'sampling') {
      return inputRequired({ inputRequests: { capital_question: askModel('What is the capital of France?', 100) } })
    }
    return said(`The model said: ${JSON.stringify(answer.result.content)}`)
  })

  server.registerTool('test_input_required_result_list_roots', { description: 'Asks for the roots' }, (context) => {
    const answer = inputResponse(context.mcpReq.inputResponses, 'client_roots')
    if (answer.kind !== 'roots') return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
    return said(`Roots: ${answer.roots.map((root) => root.uri).join(', ')}`)
  })

  server.registerTool(
    'test_input_required_result_request_state',
    { description: 'A question with a state' },
    async (context) => {
      const state = context.mcpReq.requestState<RoundState>()
      const answer = acceptedContent(context.mcpReq.inputResponses, 'confirm', Confirmation)
      if (!answer || !state) {
        const confirm = inputRequired.elicit({ message: 'Please confirm', requestedSchema: Confirmation })
        return inputRequired({ inputRequests: { confirm }, requestState: await states.mint({ step: 1 }) })
      }
      return said(`state-ok at step ${state.step}, confirmed: ${answer.ok}`)
    },
  )

  server.registerTool(
    'test_input_required_result_multiple_inputs',
    { description: 'Three questions at once' },
    async (context) => {
      const answers = context.mcpReq.inputResponses
      const name = acceptedContent(answers, 'user_name', Name)
      const greeting = inputResponse(answers, 'greeting')
      const roots = inputResponse(answers, 'client_roots')
      if (!name || greeting.kind !== 'sampling' || roots.kind !== 'roots') {
        const inputRequests = {
          user_name: askName(),
          greeting: askModel('Generate a greeting', 50),
          client_roots: inputRequired.listRoots(),
        }
        return inputRequired({ inputRequests, requestState: await states.mint({ step: 1 }) })
      }
      return said(`${JSON.stringify(greeting.result.content)} for ${name.name} with ${roots.roots.length} roots`)
    },
  )

  server.registerTool(
    'test_input_required_result_multi_round',
    { description: 'Two questions, one after the other' },
    async (context) => {
      const step = context.mcpReq.requestState<RoundState>()?.step ?? 0
      const answers = context.mcpReq.inputResponses
      if (step === 2) {
        const color = acceptedContent(answers, 'step2', Color)
        if (color) return said(`Favorite color: ${color.color}`)
      }
      if (step === 0 || (step === 1 && !acceptedContent(answers, 'step1', Name))) {
        const step1 = askName('Step 1: What is your name?')
        return inputRequired({ inputRequests: { step1 }, requestState: await states.mint({ step: 1 }) })
      }
      const step2 = inputRequired.elicit({ message: 'Step 2: What is your favorite color?', requestedSchema: Color })
      return inputRequired({ inputRequests: { step2 }, requestState: await states.mint({ step: 2 }) })
    },
  )

  server.registerTool(
    'test_input_required_result_tampered_state',
    { description: 'A state with a signature' },
    async (context) => {
      if (context.mcpReq.requestState<RoundState>()) return said('the state is authentic')
      const confirm = inputRequired.elicit({ message: 'Please confirm', requestedSchema: Confirmation })
      return inputRequired({ inputRequests: { confirm }, requestState: await states.mint({ step: 1 }) })
    },
  )

  server.registerTool(
    'test_input_required_result_capabilities',
    { description: 'Asks only what the client can answer' },
    (context) => {
      const declared = Envelope.parse(context.mcpReq.envelope)[CLIENT_CAPABILITIES_META_KEY]
      if (context.mcpReq.inputResponses) return said('answered')
      const inputRequests: InputRequests = {}
      if (declared.elicitation) inputRequests.user_name = askName()
      if (declared.sampling) inputRequests.greeting = askModel('Generate a greeting', 50)
      if (declared.roots) inputRequests.client_roots = inputRequired.listRoots()
      if (Object.keys(inputRequests).length === 0) return said('this client can answer nothing')
      return inputRequired({ inputRequests })
    },
  )
}
