/** Something in a call that breaks (`error`) or bends (`warning`) the protocol. */
export interface Finding {
  /** Stable rule name, for instance `progress-not-increasing`. */
  rule: string
  severity: 'error' | 'warning'
  leg: 'client' | 'backend'
  /** One plain sentence: what is wrong in this call. */
  message: string
  /** Section of the specification, for instance `basic/patterns/progress`. */
  spec: string
  /** The event that it is about, when there is one. */
  seq?: number
}
