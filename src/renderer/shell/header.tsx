import { Command, Keyboard, Monitor, Moon, Sun } from 'lucide-react'
import type { ReactNode } from 'react'
import type { DeskStatus } from '../../shared/api/contract'
import controls from '../controls/controls.module.css'
import { CopyButton } from '../controls/copy-button'
import type { ThemeChoice } from '../stores/preferences-store'
import { formatBytes, formatCount, plural } from '../text/format'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import styles from './shell.module.css'

interface HeaderProps {
  status: DeskStatus | null
  connected: boolean
  theme: ThemeChoice
  filter: ReactNode
  onTheme: (theme: ThemeChoice) => void
  onRecord: (on: boolean) => void
  onKeys: () => void
  onPalette: () => void
}

export function Header({ status, connected, theme, filter, onTheme, onRecord, onKeys, onPalette }: HeaderProps) {
  return (
    <header className={styles.header} data-part="header">
      <h1 className={styles.brand}>
        <Mark />
        Sluice
      </h1>
      <div className={styles.pill} data-testid="endpoint" data-tour="endpoint">
        <span className={styles.light} data-sign data-on={connected && status !== null} />
        <code className={styles.url}>{status === null ? 'connecting…' : <Visible text={status.endpoint} />}</code>
        {status !== null && <CopyButton text={status.endpoint} what="endpoint" />}
      </div>
      {status !== null && <RecordingPill status={status} connected={connected} onRecord={onRecord} />}
      {filter}
      <ThemeToggle theme={theme} onTheme={onTheme} />
      <button
        type="button"
        className={controls.icon}
        aria-label="commands"
        title="Commands (⌘K, Ctrl K)"
        onClick={onPalette}
      >
        <Command size={15} aria-hidden />
      </button>
      <button type="button" className={controls.icon} aria-label="keys" title="Keys (?)" onClick={onKeys}>
        <Keyboard size={15} aria-hidden />
      </button>
    </header>
  )
}

/** The gate of a sluice, half open. */
function Mark() {
  return (
    <svg width={16} height={16} viewBox="0 0 16 16" aria-hidden="true" className={styles.mark}>
      <path d="M2.5 1.5v13M13.5 1.5v13" />
      <path d="M5 4.5h6M5 7.5h6" />
      <path d="M4.5 12.5c1.2-1.3 2.4-1.3 3.5 0s2.3 1.3 3.5 0" className={styles.water} />
    </svg>
  )
}

interface RecordingPillProps {
  status: DeskStatus
  connected: boolean
  onRecord: (on: boolean) => void
}

function RecordingPill({ status, connected, onRecord }: RecordingPillProps) {
  const { recording } = status
  const words = `${connected ? '' : 'last seen '}${recording.on ? 'recording' : 'recording off'}`
  const title = [
    !recording.on
      ? 'nothing is written to disk; calls and their bodies are kept in memory until Sluice ends'
      : recording.file === null
        ? 'kept in memory'
        : `written to ${visibleString(recording.file)}`,
    `${formatCount(recording.events)} events`,
    recording.problem === null ? '' : visibleString(recording.problem),
  ]
    .filter(Boolean)
    .join('; ')
  return (
    <button
      type="button"
      className={styles.pill}
      aria-pressed={recording.on}
      title={`${title}. Click to turn recording ${recording.on ? 'off' : 'on'}.`}
      data-testid="recording"
      data-trouble={recording.problem !== null || recording.lostEvents > 0 || undefined}
      onClick={() => onRecord(!recording.on)}
    >
      <span className={styles.record} data-sign data-on={recording.on && connected} />
      <span>
        {words}
        <span className={styles.extra}>
          {' '}
          · {plural(recording.calls, 'call')} · {recording.on ? formatBytes(recording.bytes) : 'in memory only'}
        </span>
        {recording.lostEvents > 0 && <strong> · {plural(recording.lostEvents, 'event')} lost</strong>}
        {recording.problem !== null && recording.lostEvents === 0 && <strong> · not on disk</strong>}
      </span>
    </button>
  )
}

export const NEXT_THEME: Record<ThemeChoice, ThemeChoice> = { system: 'light', light: 'dark', dark: 'system' }

function ThemeToggle({ theme, onTheme }: { theme: ThemeChoice; onTheme: (theme: ThemeChoice) => void }) {
  const Icon = theme === 'system' ? Monitor : theme === 'light' ? Sun : Moon
  return (
    <button
      type="button"
      className={controls.icon}
      data-testid="theme-toggle"
      data-theme-choice={theme}
      aria-label={`theme: ${theme}; switch to ${NEXT_THEME[theme]}`}
      title={`Theme: ${theme}`}
      onClick={() => onTheme(NEXT_THEME[theme])}
    >
      <Icon size={15} aria-hidden />
    </button>
  )
}
