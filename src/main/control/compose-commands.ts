import { ComposeProblem, type Composer } from '../compose/composer'
import type { Collections } from '../compose/collections'
import type { ComposeCommands } from '../../shared/api/compose'
import type { JsonValue } from '../../shared/protocol/json-rpc'
import { CommandFailure } from './command-failure'

/** What compose works with. */
export interface ComposeSources {
  composer: Composer
  collections: Collections
  /** Opens a checked http(s) address outside of Sluice; null where only the page in a browser can. */
  openExternal: ((url: string) => Promise<void>) | null
}

type ComposeHandlers = {
  [N in keyof ComposeCommands]: (
    request: ComposeCommands[N]['request'],
  ) => ComposeCommands[N]['response'] | Promise<ComposeCommands[N]['response']>
}

/** The commands of compose. */
export function composeCommands({ composer, collections, openExternal }: ComposeSources): ComposeHandlers {
  return {
    'compose.offer': ({ endpoint, era }) => composer.offer(endpoint, era),
    'compose.complete': (question) => composer.complete(question),
    'compose.send': (request) => inWords(() => composer.send(request)),
    'compose.answer': ({ id, responses }) => inWords(() => composer.answer(id, responses)),
    'compose.cancel': ({ id }) => inWords(() => composer.cancel(id)),
    'compose.calls': () => ({ calls: composer.calls() }),

    async 'compose.openUrl'({ id, key }) {
      const { params } = inWords(() => composer.ask(id, key))
      const url = webAddress(params.url)
      if (openExternal === null) return { opened: false, url }
      await openExternal(url)
      return { opened: true, url }
    },

    'compose.collections': async () => ({ folder: collections.folder, collections: await collections.list() }),
    'compose.saveCollection': ({ name, requests }) => collections.save(name, requests),
    async 'compose.deleteCollection'({ name }) {
      await collections.delete(name)
      return { deleted: name }
    },
  }
}

/**
 * The address of a URL elicitation (client/elicitation, "Safe URL Handling"): http or https, and nothing that hides
 * which host it leads to.
 */
export function webAddress(given: JsonValue | undefined): string {
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : null
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new CommandFailure('failed', 'the backend gave no http or https address', 'decline; nothing was opened')
  if (url.username !== '' || url.password !== '')
    throw new CommandFailure(
      'failed',
      'the address carries a user name or password, which hides the host that it leads to',
      'decline; nothing was opened',
    )
  return url.href
}

function inWords<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (error instanceof ComposeProblem)
      throw new CommandFailure(error.known ? 'failed' : 'not-found', error.message, error.hint)
    throw error
  }
}
