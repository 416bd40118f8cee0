import { createRecorder } from '../../src/main/capture/recorder'
import type { NewCaptureEvent } from '../../src/shared/capture/events'
import { progressCall, unstamped } from './call-script'

/** Records calls to the file named first on the command line until it is killed; says on stdout when there are many. */
const recorder = createRecorder({
  file: process.argv[2] ?? null,
  header: { gateway: { name: 'sluice', version: '0.1.0' }, backends: [] },
  redaction: { headers: [], keys: [] },
})
const script = unstamped(progressCall())
let told = false

function recordCall(): void {
  const call = recorder.nextCall()
  for (const event of script) recorder.record({ ...event, call } as NewCaptureEvent)
  if (!told && recorder.status().bytes > 1_000_000) {
    told = true
    process.stdout.write('many\n')
  }
  setImmediate(recordCall)
}
recordCall()
