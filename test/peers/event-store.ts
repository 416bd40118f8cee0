/** The events of a server's streams, kept so that a client can fetch what it missed; fits the stores of both SDKs. */
export interface MemoryEvents<Message> {
  storeEvent(stream: string, message: Message): Promise<string>
  getStreamIdForEventId(id: string): Promise<string | undefined>
  replayEventsAfter(lastId: string, to: { send: (id: string, message: Message) => Promise<void> }): Promise<string>
}

export function memoryEvents<Message extends object>(): MemoryEvents<Message> {
  const events: { id: string; stream: string; message: Message }[] = []
  return {
    storeEvent: (stream, message) => {
      const id = `${stream}_${events.length}`
      events.push({ id, stream, message })
      return Promise.resolve(id)
    },
    getStreamIdForEventId: (id) => Promise.resolve(events.find((event) => event.id === id)?.stream),
    replayEventsAfter: async (lastId, { send }) => {
      const at = events.findIndex(({ id }) => id === lastId)
      const stream = events[at]?.stream ?? ''
      for (const event of events.slice(at + 1))
        if (event.stream === stream && Object.keys(event.message).length > 0) await send(event.id, event.message)
      return stream
    },
  }
}
