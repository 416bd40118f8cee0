import type { EndpointOffer } from '../../src/shared/api/compose'

/** Tools with schemas of every kind, well-meant and hostile. */
export const OFFER: Omit<EndpointOffer, 'endpoint' | 'era'> = {
  tools: [
    {
      name: 'weather__forecast',
      title: 'Forecast',
      description: 'A forecast for a city, with progress and logs.',
      annotations: { readOnlyHint: true },
      inputSchema: {
        type: 'object',
        properties: {
          city: { type: 'string', title: 'City', description: 'As people there write it.', minLength: 2 },
          days: { type: 'integer', minimum: 1, maximum: 14, default: 3 },
          units: { enum: ['metric', 'imperial'], default: 'metric' },
          from: { type: 'string', format: 'date' },
          details: { type: 'boolean', description: 'Wind and humidity too.' },
        },
        required: ['city'],
      },
    },
    {
      name: 'orders__create',
      title: 'Create an order',
      description: 'Everything that a schema can say, in one tool.',
      annotations: { destructiveHint: true },
      inputSchema: {
        type: 'object',
        properties: {
          customer: {
            type: 'object',
            properties: {
              name: { type: 'string' },
              email: { type: 'string', format: 'email' },
              address: { $ref: '#/$defs/address' },
            },
            required: ['name'],
          },
          lines: {
            type: 'array',
            minItems: 1,
            items: {
              type: 'object',
              properties: {
                sku: { type: 'string', pattern: '^[A-Z]{3}-[0-9]+$' },
                count: { type: 'integer', minimum: 1 },
              },
              required: ['sku', 'count'],
            },
          },
          payment: {
            title: 'Payment',
            oneOf: [
              {
                title: 'Card',
                type: 'object',
                properties: { kind: { const: 'card' }, number: { type: 'string' } },
                required: ['kind', 'number'],
              },
              {
                title: 'Invoice',
                type: 'object',
                properties: { kind: { const: 'invoice' }, days: { enum: [14, 30, 60] } },
                required: ['kind'],
              },
            ],
          },
          tags: { type: 'array', items: { enum: ['gift', 'express', 'fragile'] }, uniqueItems: true },
          note: { anyOf: [{ type: 'string', maxLength: 500 }, { type: 'null' }] },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
          parent: { $ref: '#' },
        },
        required: ['customer', 'lines'],
        $defs: {
          address: {
            type: 'object',
            properties: { street: { type: 'string' }, city: { type: 'string' }, country: { type: 'string' } },
            required: ['city'],
          },
        },
      },
    },
    { name: 'faults__no_schema', description: 'It says nothing of what it takes.' },
    { name: 'faults__no_object', inputSchema: { type: 'array' } },
    {
      name: 'pay\u200bout__with_a_rather_long_name_that_goes_on_and_on_until_it_fits_nowhere',
      title: 'Pay \u202etuo',
      description: '<b>Not bold</b> [no link](https://example.com)',
      inputSchema: { type: 'object', properties: { '<i>amount</i>': { type: 'number', title: '<script>x</script>' } } },
    },
  ],
  prompts: [
    {
      name: 'weather__packing-list',
      title: 'What to pack',
      arguments: [
        { name: 'city', description: 'Where to.', required: true },
        { name: 'style', description: 'How light to travel.' },
      ],
    },
  ],
  resources: [{ uri: 'booking://terms', name: 'terms', title: 'Terms of booking', mimeType: 'text/plain' }],
  resourceTemplates: [{ uriTemplate: 'weather://{city}/{day}', name: 'weather by city and day' }],
  problems: [],
}
