import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { text, type Offer } from '../peers/scripted-server'
import type { StubHandler } from '../peers/stub-backend'

export const elicit = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
}
export const answers = { name: { action: 'accept', content: { name: 'Ada' } } }
export const capabilities = { elicitation: { form: {} } }

/** A backend that asks once for each state in `states`, then answers with what it was given last. */
export const asking =
  (states: (string | undefined)[]): StubHandler =>
  (request, reply) => {
    const given = request.params.requestState
    const hasAnswers = request.params.inputResponses !== undefined
    const at = !hasAnswers && given === undefined ? 0 : given === undefined ? 1 : states.indexOf(String(given)) + 1
    if (at < states.length) {
      const requestState = states[at]
      return reply.result({
        resultType: 'input_required',
        inputRequests: { name: elicit },
        ...(requestState === undefined ? {} : { requestState }),
      })
    }
    reply.result({
      ...text(JSON.stringify({ given, answers: request.params.inputResponses })),
      contents: [],
      messages: [],
    })
  }

export const offer = (script: StubHandler): Offer => ({
  tools: { book: { call: script }, other: { call: script } },
  prompts: { book: { get: script } },
  resources: { 'trip://one': { read: script } },
})

export type Result = JsonObject & { resultType: string; requestState?: string; inputRequests?: JsonObject }
export const resultOf = async (answer: { answer(): Promise<JsonObject> }): Promise<Result> =>
  (await answer.answer()).result as Result
