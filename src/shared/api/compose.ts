import type { JsonObject } from '../protocol/json-rpc'
import type { LogLevel } from '../protocol/meta'
import type { Era } from '../protocol/revisions'

/** Name of the client that composed requests come from: they are calls like anyone's. */
export const COMPOSE_CLIENT = 'sluice compose'

/** A request to an endpoint of this gateway, as it is composed. */
export interface ComposedRequest {
  /** `/mcp` or `/mcp/<backend>`: a path, never the address of another server. */
  endpoint: string
  era: Era
  method: string
  /** JSON text of an object; sent as it is written, with `_meta` added to it. */
  params: string
  settings: ComposeSettings
}

/** What goes with a request beside its params. */
export interface ComposeSettings {
  /** What the client says that it can do: with each request when modern, in `initialize` when legacy. */
  capabilities: JsonObject
  /** Null: no log messages are asked for. */
  logLevel: LogLevel | null
  /** Asks for progress, with a token of its own for each round. */
  progress: boolean
  /** Further HTTP fields. One that is named like a field of the protocol replaces that. */
  headers: ComposedHeader[]
  /** Members of `_meta`; one that is named like a member that Sluice writes replaces that. */
  meta: JsonObject
}
export interface ComposedHeader {
  name: string
  value: string
}

/** One question of a backend to the client. Everything in it is the backend's: hostile. */
export interface InputAsk {
  /** The key in `inputRequests`, or the id of a legacy server's request. */
  key: string
  method: string
  params: JsonObject
}

/** What a question is answered with: a result for each key, in the shape that the method has (client/elicitation and its neighbours). */
export type InputResponses = Record<string, JsonObject>

export interface ComposedRound {
  /** Id of the JSON-RPC request. */
  id: string
  /** Number of the call in the capture; null until it is recorded. */
  call: number | null
  /** HTTP status; null before the head. */
  status: number | null
}

/** The answer to a composed request. */
export interface ComposedAnswer {
  /** The JSON-RPC message as it came, at most `LONGEST_ANSWER` characters of it. */
  text: string
  /** Length of the whole. */
  length: number
}
export const LONGEST_ANSWER = 1_000_000

/**
 * `sending`: a round is under way. `asking`: it waits for `compose.answer`. `answered`: there is a result or an error of
 * JSON-RPC. `failed`: there is none, `problem` says why.
 */
export type ComposedState = 'sending' | 'asking' | 'answered' | 'failed' | 'cancelled'

/** A request that was sent, with all its rounds. */
export interface ComposedCall {
  id: string
  request: ComposedRequest
  /** Unix milliseconds. */
  startedAt: number
  endedAt: number | null
  state: ComposedState
  rounds: ComposedRound[]
  /** The open questions, while `asking`; empty when the backend only asks to be called again. */
  asks: InputAsk[]
  /** Of the last round that has one. */
  answer: ComposedAnswer | null
  problem: string | null
}

/** What an endpoint offers, as its lists have it. Texts are the backends': hostile. */
export interface EndpointOffer {
  endpoint: string
  era: Era
  tools: JsonObject[]
  prompts: JsonObject[]
  resources: JsonObject[]
  resourceTemplates: JsonObject[]
  /** Lists that could not be read whole, in words. */
  problems: string[]
}

/** Suggestions that are shown, and the longest of them. */
export const MOST_SUGGESTIONS = 100
export const LONGEST_SUGGESTION = 1_000

/** `completion/complete` for what is typed into an argument (server/utilities/completion). */
export interface CompletionQuestion {
  endpoint: string
  era: Era
  ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string }
  argument: { name: string; value: string }
  /** The other arguments, as far as they are typed. */
  known: Record<string, string>
}

export interface Completion {
  values: string[]
  /** Why there are none, in words; null when the server answered. */
  problem: string | null
}

/** A request that is kept by name. */
export interface SavedRequest extends ComposedRequest {
  name: string
}

/** Saved requests in one file. */
export interface Collection {
  /** Name of the file in the folder, without `.json`. */
  name: string
  requests: SavedRequest[]
  /** Why the file cannot be read, in words; it is not written over then. */
  problem: string | null
}

/** Commands of compose, part of `Commands`. */
export interface ComposeCommands {
  /** Reads the lists of an endpoint, as a client. */
  'compose.offer': { request: { endpoint: string; era: Era }; response: EndpointOffer }
  /** What an argument may go on with. */
  'compose.complete': { request: CompletionQuestion; response: Completion }
  /** Sends; the feed `composed` tells what becomes of it. */
  'compose.send': { request: ComposedRequest; response: ComposedCall }
  /** Answers the open questions. Null refuses without an answer, which sampling and roots have no other way for. */
  'compose.answer': { request: { id: string; responses: InputResponses | null }; response: ComposedCall }
  'compose.cancel': { request: { id: string }; response: ComposedCall }
  /** The latest requests of this run, newest first. */
  'compose.calls': { request: Record<string, never>; response: { calls: ComposedCall[] } }
  /**
   * Opens the address that an open question names (elicitation, URL mode) outside of Sluice. `opened` is false where only
   * a browser can: it may open `url`, which was checked.
   */
  'compose.openUrl': { request: { id: string; key: string }; response: { opened: boolean; url: string } }
  'compose.collections': { request: Record<string, never>; response: { folder: string; collections: Collection[] } }
  /** Writes one collection. Values of secret header fields are left out: `withheld` names them. */
  'compose.saveCollection': {
    request: { name: string; requests: SavedRequest[] }
    response: { collection: Collection; withheld: string[] }
  }
  'compose.deleteCollection': { request: { name: string }; response: { deleted: string } }
}
