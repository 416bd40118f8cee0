import type { GuideEntries } from './entry'

const HTTP = 'basic/transports/streamable-http'
const PROGRESS = 'basic/patterns/progress'
const LEGACY_PROGRESS = '2025-11-25 basic/utilities/progress'
const LOGGING = 'server/utilities/logging'

/** Event streams, and the notifications on them. */
export const STREAM_RULES = {
  'sse-id': {
    title: 'An event has an id',
    severity: 'error',
    leg: 'backend',
    spec: HTTP,
    why: 'Streams of revision 2026-07-28 cannot be resumed, so events have no id:. The client of the TypeScript SDK sees the id and, when the stream ends, asks for the rest with GET and Last-Event-ID, which a modern server refuses: the call hangs.',
    look: 'Switch off the event store for modern requests. Legacy streams may have ids.',
  },
  'sse-retry': {
    title: 'An event has a retry time',
    severity: 'error',
    leg: 'backend',
    spec: HTTP,
    why: 'retry: tells a client when to reconnect, and modern streams cannot be resumed: a broken stream is a lost request, which the client sends again under a new id.',
    look: 'Leave the field out of modern streams.',
  },
  'message-after-response': {
    title: 'A message came after the response',
    severity: 'error',
    leg: 'backend',
    spec: HTTP,
    why: 'The response is the last message of its stream. Clients have settled the call by then and drop what follows, so the last progress or log messages are never seen.',
    look: 'Wait for pending notifications before the handler returns: an unawaited notify() is the usual cause.',
  },
  'stream-without-result': {
    title: 'The stream ended without a response',
    severity: 'error',
    leg: 'backend',
    spec: HTTP,
    why: 'A stream ends with the response to its request. The client of the TypeScript SDK does not notice the end and waits for its timeout, 60 seconds by default; Sluice writes an error frame in the backend’s place.',
    look: 'See how the exchange ended in the Stream tab. The process may have crashed, a proxy may have cut an idle stream, or the handler returned nothing.',
  },
  'server-request': {
    title: 'The backend sent a request',
    severity: 'error',
    leg: 'backend',
    spec: 'basic/patterns/mrtr',
    why: 'Servers of revision 2026-07-28 send no requests: what they need of the client they ask for by a result of the type input_required. Clients drop such a request, and the server waits for an answer that never comes.',
    look: 'Return inputRequests instead of calling elicitation, sampling or roots. Servers of both eras must ask so only in legacy sessions.',
  },
  'progress-without-token': {
    title: 'Progress came that was not asked for',
    severity: 'error',
    leg: 'backend',
    spec: PROGRESS,
    legacySpec: LEGACY_PROGRESS,
    why: 'A client that wants progress sends a progressToken. Without one it has nobody to tell, and the notification forces the answer into an event stream for nothing. Sluice withholds it.',
    look: 'Notify only when the request has _meta.progressToken.',
  },
  'progress-token-differs': {
    title: 'Progress has another token than the request',
    severity: 'error',
    leg: 'backend',
    spec: PROGRESS,
    legacySpec: LEGACY_PROGRESS,
    why: 'Clients find the call by the token, type included: 1 and "1" are two tokens. Progress for an unknown token is dropped, and the person sees none.',
    look: 'Repeat the token of this request as it came. A token that is kept in a variable of the server may be that of another call.',
  },
  'progress-not-increasing': {
    title: 'Progress did not increase',
    severity: 'error',
    leg: 'backend',
    spec: PROGRESS,
    legacySpec: LEGACY_PROGRESS,
    why: 'progress must grow with every notification, even where the total is not known. Bars jump back otherwise, and clients that restart their timeout on progress may not do so.',
    look: 'Count the work done, not the work left, and do not send the same value as a sign of life: pings are for that.',
  },
  'log-without-level': {
    title: 'A log message came that was not asked for',
    severity: 'error',
    leg: 'backend',
    spec: LOGGING,
    why: 'A request asks for log messages by io.modelcontextprotocol/logLevel in its _meta; without it none may be sent for it. Sluice withholds them.',
    look: 'Use the SDK’s log function, which keeps to the level, and not a bare notification.',
  },
  'log-below-level': {
    title: 'A log message is below the level that was asked for',
    severity: 'error',
    leg: 'backend',
    spec: LOGGING,
    why: 'The request names the least severe level that it wants. More than that costs the client, and turns quick JSON answers into streams.',
    look: 'Compare by the order debug, info, notice, warning, error, critical, alert, emergency, not by the alphabet.',
  },
  'log-level-unknown': {
    title: 'A log message has a level that is none',
    severity: 'error',
    leg: 'backend',
    spec: LOGGING,
    legacySpec: '2025-11-25 server/utilities/logging',
    why: 'The levels are those of syslog. Clients check them, and those of the SDKs drop a message with another one.',
    look: 'Map your logger’s levels: warn is warning, fatal is critical or emergency, trace is debug.',
  },
  'subscription-not-acknowledged': {
    title: 'The subscription was not acknowledged first',
    severity: 'error',
    leg: 'backend',
    spec: 'basic/patterns/subscriptions',
    why: 'The first message of a subscription is the acknowledgement, which says what of the wish is honoured. Until it comes a client does not know whether it will hear of changes, and may drop what comes before.',
    look: 'Send notifications/subscriptions/acknowledged before the subscription is entered anywhere that can fire.',
  },
  'subscription-id-differs': {
    title: 'A notification names another subscription',
    severity: 'error',
    leg: 'backend',
    spec: 'basic/patterns/subscriptions',
    why: 'Every notification of a subscription carries the id of the listen request in _meta, type included. Clients with several subscriptions tell them apart by it; on stdio there is no other way.',
    look: 'Set io.modelcontextprotocol/subscriptionId to the JSON-RPC id of the listen request, and keep a number a number.',
  },
} satisfies GuideEntries
