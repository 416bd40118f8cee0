import { COMPOSE_CLIENT } from '../../shared/api/compose'
import type { HeaderList } from '../../shared/capture/events'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import { META } from '../../shared/protocol/meta'
import { MODERN_VERSION } from '../../shared/protocol/revisions'
import { ParameterHeaders } from '../connect/parameter-headers'
import { standardHeaders } from '../connect/standard-headers'
import {
  AnswerReader,
  headersOf,
  type EndpointClient,
  type OutgoingRequest,
  type RequestEvents,
} from './endpoint-client'
import type { EndpointLink } from './endpoint-link'
import { requestText } from './request-text'

/** Sends as a client of 2026-07-28 does: each request is one POST with the fields that mirror it (transports/streamable-http). */
export class ModernClient implements EndpointClient {
  readonly #link: EndpointLink
  readonly #version: string
  /** By endpoint, learned from its tool lists. */
  readonly #parameters = new Map<string, ParameterHeaders>()

  constructor(link: EndpointLink, version: string) {
    this.#link = link
    this.#version = version
  }

  send(request: OutgoingRequest, events: RequestEvents): () => void {
    const { id, endpoint, method, params, settings, retry } = request
    const meta: JsonObject = {
      [META.protocolVersion]: MODERN_VERSION,
      [META.clientInfo]: { name: COMPOSE_CLIENT, version: this.#version },
      [META.clientCapabilities]: settings.capabilities,
      ...(settings.logLevel === null ? {} : { [META.logLevel]: settings.logLevel }),
      ...(settings.progress ? { progressToken: id } : {}),
    }
    const body = requestText({
      id,
      method,
      params,
      meta,
      ownMeta: settings.meta,
      ...(retry === undefined ? {} : { retry }),
    })
    const headers: HeaderList = [
      ['accept', 'application/json, text/event-stream'],
      ...this.#mirrored(endpoint, JSON.parse(body) as JsonObject),
      ...headersOf(settings),
    ]
    // A modern server sends no requests (basic/index); what looks like one is in the capture and needs no answer.
    const reader = new AnswerReader(events, () => undefined)
    const close = this.#link.send('POST', endpoint, headers, body, {
      head: (status) => {
        reader.head(status)
        events.status(status)
      },
      text: (text) => reader.take(text),
      end: (problem) => reader.end(problem),
    })
    return () => {
      reader.stop()
      close()
    }
  }

  /** A list of tools says which arguments travel in fields too. */
  learn(endpoint: string, result: JsonObject, firstPage: boolean): void {
    const parameters = this.#parameters.get(endpoint) ?? new ParameterHeaders()
    this.#parameters.set(endpoint, parameters)
    parameters.learn(result, firstPage)
  }

  #mirrored(endpoint: string, message: JsonObject): HeaderList {
    const standard = standardHeaders(message)
    if (message.method !== 'tools/call' || !isObject(message.params)) return standard
    return [...standard, ...(this.#parameters.get(endpoint)?.headersFor(message.params) ?? [])]
  }
}
