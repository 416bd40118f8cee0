import { useId } from 'react'
import ReactMarkdown, { type Components, type ExtraProps, type Options } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { Visible } from '../text/visible'
import styles from './content.module.css'

/** Links and images are named and lead nowhere; HTML in the text is shown as text (the library makes none of it). */
const COMPONENTS: Components = {
  a: ({ node, href, children }) => {
    // The marks of footnotes lead to a place in the text, and back.
    if (node?.properties.dataFootnoteBackref !== undefined) return null
    if (node?.properties.dataFootnoteRef !== undefined) return <span>[{children}]</span>
    return (
      <span>
        {children}
        {href !== undefined && !namesItself(href, node) && (
          <code className={styles.address}>
            <Visible text={href} />
          </code>
        )}
      </span>
    )
  },
  table: ({ children }) => (
    <div className={styles.tableFrame} tabIndex={0} role="region" aria-label="table">
      <table>{children}</table>
    </div>
  ),
  input: ({ checked }) => (
    <span role="img" aria-label={checked === true ? 'done' : 'not done'} className={styles.task}>
      {checked === true ? '☑' : '☐'}
    </span>
  ),
  img: ({ src, alt }) => (
    <code className={styles.address}>
      image <Visible text={`${alt ?? ''} ${typeof src === 'string' ? src : ''}`} />
    </code>
  ),
}

/** An address that was written bare is its own name: it is not shown twice. */
function namesItself(href: string, node: ExtraProps['node']): boolean {
  const [only, ...others] = node?.children ?? []
  if (only?.type !== 'text' || others.length > 0) return false
  return [only.value, `http://${only.value}`, `mailto:${only.value}`].includes(href)
}

/** Two tildes, as in GitHub's own examples: one is more often "about" than the end of a sentence struck out. */
const EXTENSIONS: Options['remarkPlugins'] = [[remarkGfm, { singleTilde: false }]]

/** A text of a server as markdown, with the tables, task lists, footnotes and struck text of GitHub's. */
export function Markdown({ text }: { text: string }) {
  // Footnotes make ids; two texts of one page have none in common.
  const id = useId()
  return (
    <div className={styles.markdown}>
      {/* Every address is shown as it is, and none is followed. */}
      <ReactMarkdown
        components={COMPONENTS}
        remarkPlugins={EXTENSIONS}
        remarkRehypeOptions={{ clobberPrefix: `${id}-` }}
        urlTransform={(url) => url}
      >
        {text}
      </ReactMarkdown>
    </div>
  )
}
