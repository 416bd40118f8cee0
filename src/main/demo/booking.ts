import { randomBytes } from 'node:crypto'
import { McpServer, acceptedContent, createRequestStateCodec, inputRequired } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type DemoBackend, startDemoBackend, textResult } from './demo-backend'

const Dates = z.object({
  depart: z.string().meta({ title: 'Departure' }),
  nights: z.number().meta({ title: 'Nights' }),
})
const Confirmation = z.object({ confirm: z.boolean().meta({ title: 'Book it?' }) })

/** What travels between the rounds; nothing is kept here. */
interface TripState {
  depart: string
  nights: number
  price: number
}

/** Shows a multi-round trip (SEP-2322): the tool asks for dates, then for a confirmation, then books. */
export function startBooking(): Promise<DemoBackend> {
  const codec = createRequestStateCodec<TripState>({ key: randomBytes(32) })

  return startDemoBackend(() => {
    const server = new McpServer({ name: 'demo-booking', version: '1.0.0' }, { requestState: { verify: codec.verify } })

    server.registerTool(
      'book_trip',
      {
        title: 'Book a trip',
        description: 'Books a trip in three rounds: dates, confirmation, result.',
        inputSchema: z.object({ city: z.string() }),
      },
      async ({ city }, { mcpReq }) => {
        const trip = mcpReq.requestState<TripState>()
        const confirmation = acceptedContent(mcpReq.inputResponses, 'confirmation', Confirmation)
        if (trip && confirmation) {
          return textResult(
            confirmation.confirm
              ? `Booked: ${trip.nights} nights in ${city} from ${trip.depart} for ${trip.price} €`
              : `Nothing booked: the offer for ${city} was not confirmed`,
          )
        }

        const dates = acceptedContent(mcpReq.inputResponses, 'dates', Dates)
        if (dates) {
          const price = 90 + 75 * dates.nights
          return inputRequired({
            inputRequests: {
              confirmation: inputRequired.elicit({
                message: `${dates.nights} nights in ${city} from ${dates.depart} cost ${price} €.`,
                requestedSchema: Confirmation,
              }),
            },
            requestState: await codec.mint({ ...dates, price }),
          })
        }

        return inputRequired({
          inputRequests: {
            dates: inputRequired.elicit({ message: `When do you want to go to ${city}?`, requestedSchema: Dates }),
          },
        })
      },
    )

    server.registerResource(
      'terms',
      'booking://terms',
      { title: 'Terms of booking', mimeType: 'text/plain', cacheHint: { ttlMs: 60_000, cacheScope: 'public' } },
      (uri) => ({
        contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'Free cancellation up to 24 hours before.' }],
      }),
    )
    return server
  })
}
