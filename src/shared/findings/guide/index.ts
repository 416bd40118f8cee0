import { ANSWER_RULES } from './answers'
import type { GuideEntry } from './entry'
import { REQUEST_RULES } from './requests'
import { RESULT_RULES } from './results'
import { ROUND_RULES } from './rounds'
import { STREAM_RULES } from './streams'

/** What each rule teaches, by its id. A rule cannot find what has no entry here. */
export const GUIDE = {
  ...REQUEST_RULES,
  ...ANSWER_RULES,
  ...RESULT_RULES,
  ...STREAM_RULES,
  ...ROUND_RULES,
} satisfies Record<string, GuideEntry>

export type RuleId = keyof typeof GUIDE

/** The guide by subject, in the order in which it is read. */
export const GUIDE_SUBJECTS: readonly { title: string; about: string; rules: readonly RuleId[] }[] = [
  {
    title: 'Requests',
    about: 'What clients send: the message, its header fields, its _meta.',
    rules: idsOf(REQUEST_RULES),
  },
  {
    title: 'Answers',
    about: 'How a request is answered: the HTTP response, the JSON-RPC response, errors, cache hints.',
    rules: idsOf(ANSWER_RULES),
  },
  {
    title: 'Results',
    about: 'What servers offer and give: discovery, lists, tools, prompts, resources, completions, tasks.',
    rules: idsOf(RESULT_RULES),
  },
  {
    title: 'Streams',
    about: 'Event streams, and the notifications on them: progress, log messages, subscriptions.',
    rules: idsOf(STREAM_RULES),
  },
  {
    title: 'Rounds',
    about: 'Operations of several rounds: what servers ask, and how clients come back.',
    rules: idsOf(ROUND_RULES),
  },
]

/** What the guide says of a rule; undefined for a name out of a file that this Sluice does not know. */
export function guideOf(rule: string): GuideEntry | undefined {
  return isRuleId(rule) ? GUIDE[rule] : undefined
}

export function isRuleId(rule: string): rule is RuleId {
  return Object.hasOwn(GUIDE, rule)
}

function idsOf<K extends RuleId>(rules: Record<K, GuideEntry>): K[] {
  return Object.keys(rules) as K[]
}
