import { Component, type ReactNode } from 'react'
import { Failure } from './failure'

interface ErrorBoundaryProps {
  /** What failed, for instance "This call could not be drawn." */
  what: string
  children: ReactNode
}

/** Keeps a fault in one part of the desk from taking the rest with it. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return (
      <Failure
        what={this.props.what}
        error={{ code: 'failed', message: error.message, hint: 'The rest of the desk goes on; please report this.' }}
        onRetry={() => this.setState({ error: null })}
      />
    )
  }
}
