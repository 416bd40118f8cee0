import { writeFile } from 'node:fs/promises'
import { configurationJsonSchema } from '../src/shared/config/json-schema'

const target = new URL('../docs/sluice.schema.json', import.meta.url)
await writeFile(target, `${JSON.stringify(configurationJsonSchema(), null, 2)}\n`)
