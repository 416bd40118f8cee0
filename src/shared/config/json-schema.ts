import { z } from 'zod'
import { Configuration } from './schema'

/** The published JSON schema of the configuration file (docs/sluice.schema.json), for editors. */
export function configurationJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(Configuration, {
    io: 'input',
    override: ({ jsonSchema }) => {
      // `http://${HOST}/mcp` is no URI before its variables are replaced.
      if (jsonSchema.format === 'uri') {
        delete jsonSchema.format
        jsonSchema.pattern = '^(https?://|\\$\\{)'
      }
    },
  })
  return { $schema, title: 'Configuration of Sluice', ...rest }
}
