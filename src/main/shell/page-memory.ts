import { app } from 'electron'

/**
 * Up to here (MB) the page's JavaScript may grow; it needs a tenth of it with 100 000 calls. Where V8 may take gigabytes it also
 * lets garbage, and that of the layout, pile up to several times of what is in use before it collects: scrolling through a
 * large capture took 420 MB, and 220 MB below this bound (bench/README.md).
 */
const PAGE_HEAP_MB = 900

/** To be called before the app is ready: windows are opened with it. */
export function boundPageMemory(): void {
  app.commandLine.appendSwitch('js-flags', `--max-old-space-size=${PAGE_HEAP_MB}`)
}
