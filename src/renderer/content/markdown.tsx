import ReactMarkdown, { type Components } from 'react-markdown'
import { Visible } from '../text/visible'
import styles from './content.module.css'

/** Links and images are named and lead nowhere; HTML in the text is shown as text (the library makes none of it). */
const COMPONENTS: Components = {
  a: ({ href, children }) => (
    <span>
      {children}
      {href !== undefined && (
        <code className={styles.address}>
          <Visible text={href} />
        </code>
      )}
    </span>
  ),
  img: ({ src, alt }) => (
    <code className={styles.address}>
      image <Visible text={`${alt ?? ''} ${typeof src === 'string' ? src : ''}`} />
    </code>
  ),
}

/** A text of a server as markdown. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className={styles.markdown}>
      {/* Every address is shown as it is, and none is followed. */}
      <ReactMarkdown components={COMPONENTS} urlTransform={(url) => url}>
        {text}
      </ReactMarkdown>
    </div>
  )
}
