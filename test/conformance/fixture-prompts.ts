import { acceptedContent, completable, inputRequired, type McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { IMAGE } from './fixture-tools'

const Context = z.object({ context: z.string() })
const userText = (text: string) => ({ role: 'user' as const, content: { type: 'text' as const, text } })

export function registerPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'No arguments' }, () => ({
    messages: [userText('This is a simple prompt for testing.')],
  }))

  const cities = ['paris', 'park', 'party', 'test one', 'test two']
  const arg1 = completable(z.string().describe('First test argument'), (typed) =>
    cities.filter((city) => city.startsWith(typed)),
  )
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Two arguments', argsSchema: z.object({ arg1, arg2: z.string().describe('Second test argument') }) },
    (given) => ({ messages: [userText(`Prompt with arguments: arg1='${given.arg1}', arg2='${given.arg2}'`)] }),
  )

  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    {
      description: 'Embeds a resource',
      argsSchema: z.object({ resourceUri: z.string().describe('URI of the resource to embed') }),
    },
    ({ resourceUri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
          },
        },
        userText('Please process the embedded resource above.'),
      ],
    }),
  )

  server.registerPrompt('test_prompt_with_image', { description: 'Shows an image' }, () => ({
    messages: [{ role: 'user', content: { type: 'image', ...IMAGE } }, userText('Please analyze the image above.')],
  }))

  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks before it answers' }, (context) => {
    const answer = acceptedContent(context.mcpReq.inputResponses, 'user_context', Context)
    if (answer) return { messages: [userText(`Prompt in the context: ${answer.context}`)] }
    const user_context = inputRequired.elicit({
      message: 'What context should the prompt use?',
      requestedSchema: Context,
    })
    return inputRequired({ inputRequests: { user_context } })
  })
}
