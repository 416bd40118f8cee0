import type {
  ComposeCommands,
  ComposedCall,
  ComposedRequest,
  InputAsk,
  SavedRequest,
} from '../../src/shared/api/compose'
import { OFFER } from './compose-offer'

const ASKS: InputAsk[] = [
  {
    key: 'traveller',
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message: 'Who travels, and how?',
      requestedSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', title: 'Name', minLength: 2 },
          email: { type: 'string', format: 'email', title: 'Mail' },
          born: { type: 'string', format: 'date', title: 'Born on' },
          seat: {
            type: 'string',
            enum: ['aisle', 'window'],
            enumNames: ['On the aisle', 'At the window'],
            default: 'window',
          },
          meals: {
            type: 'array',
            title: 'Meals',
            items: {
              anyOf: [
                { const: 'veg', title: 'Vegetarian' },
                { const: 'fish', title: 'Fish' },
              ],
            },
          },
          insurance: { type: 'boolean', title: 'Insurance', default: false },
        },
        required: ['name', 'seat'],
      },
    },
  },
  {
    key: 'sign-in',
    method: 'elicitation/create',
    params: {
      mode: 'url',
      message: 'Sign in with your airline, so that the seat can be booked.',
      url: 'https://accounts.airline.example.com/oauth/authorize?client_id=8f2&redirect_uri=https%3A%2F%2Fbooking.example%2Fdone&state=abc',
    },
  },
  {
    key: 'greeting',
    method: 'sampling/createMessage',
    params: {
      systemPrompt: 'You write one friendly sentence.',
      messages: [{ role: 'user', content: { type: 'text', text: 'Greet somebody who flies to Kyoto.' } }],
      maxTokens: 100,
    },
  },
  { key: 'folders', method: 'roots/list', params: {} },
]

/** Compose without a gateway: a booking asks everything that can be asked, anything else is answered at once. */
export class ComposeFixture {
  readonly #calls = new Map<string, ComposedCall>()
  readonly #collections = new Map<string, SavedRequest[]>()
  #count = 0

  constructor(private readonly push: (call: ComposedCall) => void) {
    this.#collections.set('Trips', [])
  }

  answer(name: keyof ComposeCommands, request: unknown): unknown {
    switch (name) {
      case 'compose.offer':
        return { ...OFFER, ...(request as { endpoint: string; era: string }) }
      case 'compose.complete':
        return { values: ['Kyoto', 'Lisbon'], problem: null }
      case 'compose.send':
        return this.#send(request as ComposedRequest)
      case 'compose.calls':
        return { calls: [...this.#calls.values()].reverse() }
      case 'compose.answer':
      case 'compose.cancel': {
        const { id, responses } = request as { id: string; responses?: object | null }
        const over = responses === undefined || responses === null
        return this.#change(id, {
          state: over ? 'cancelled' : 'answered',
          asks: [],
          endedAt: Date.now(),
          ...(over ? {} : { answer: answerWith({ content: [{ type: 'text', text: 'Booked.' }] }) }),
        })
      }
      case 'compose.openUrl':
        return { opened: true, url: 'https://accounts.airline.example.com/' }
      case 'compose.collections':
        return {
          folder: '/home/dev/.local/share/sluice/collections',
          collections: [...this.#collections].map(([collection, requests]) => ({
            name: collection,
            requests,
            problem: null,
          })),
        }
      case 'compose.saveCollection': {
        const { name: collection, requests } = request as { name: string; requests: SavedRequest[] }
        this.#collections.set(collection, requests)
        return { collection: { name: collection, requests, problem: null }, withheld: [] }
      }
      case 'compose.deleteCollection': {
        const { name: deleted } = request as { name: string }
        this.#collections.delete(deleted)
        return { deleted }
      }
    }
  }

  #send(request: ComposedRequest): ComposedCall {
    const id = `compose-${++this.#count}`
    const asks = request.params.includes('orders__create') ? ASKS : []
    const ended = asks.length === 0
    const call: ComposedCall = {
      id,
      request,
      startedAt: Date.now(),
      endedAt: ended ? Date.now() + 12 : null,
      state: ended ? 'answered' : 'asking',
      rounds: [{ id: `${id}.1`, call: 3, status: 200 }],
      asks,
      answer: ended
        ? answerWith({ content: [{ type: 'text', text: 'Sunny, 21 °C' }], structuredContent: { high: 21, low: 12 } })
        : answerWith({ resultType: 'input_required' }),
      problem: null,
    }
    this.#calls.set(id, call)
    return call
  }

  #change(id: string, change: Partial<ComposedCall>): ComposedCall {
    const call = { ...this.#calls.get(id)!, ...change }
    this.#calls.set(id, call)
    this.push(call)
    return call
  }
}

function answerWith(result: object): ComposedCall['answer'] {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 'compose-1.1', result: { resultType: 'complete', ...result } })
  return { text, length: text.length }
}
