import { useEffect, useEffectEvent, useState } from 'react'
import { useDesk } from '../stores/desk-context'
import styles from './captures.module.css'

/** Opens the files that are dropped anywhere on the window. */
export function DropCaptures() {
  const { captures } = useDesk()
  const [over, setOver] = useState(false)
  const take = useEffectEvent(async (files: File[]) => {
    for (const file of files) await captures.openGiven(file)
  })
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return
      // Without this the page itself would be left for the file.
      event.preventDefault()
      setOver(true)
    }
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      void take([...(event.dataTransfer?.files ?? [])])
    }
    window.addEventListener('dragover', onOver)
    window.addEventListener('dragleave', onLeave)
    window.addEventListener('drop', onDrop)
    return () => {
      window.removeEventListener('dragover', onOver)
      window.removeEventListener('dragleave', onLeave)
      window.removeEventListener('drop', onDrop)
    }
  }, [])
  return over ? <div className={styles.drop}>Drop captures or HARs to open them</div> : null
}
