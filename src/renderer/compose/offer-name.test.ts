import { expect, it } from 'vitest'
import { partsOf } from './offer-name'

it.each([
  ['weather__forecast', 'weather__', 'forecast'],
  ['a__b__c', 'a__', 'b__c'],
  ['plain', '', 'plain'],
  ['__init', '', '__init'],
  ['open__', '', 'open__'],
])('%s is %s and %s', (name, backend, own) => expect(partsOf(name)).toEqual([backend, own]))
