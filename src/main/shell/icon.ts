import { join } from 'node:path'

/** The icon beside the built code. GTK reads it for the about box, which cannot look into the archive of a package. */
export const ICON = join(import.meta.dirname, 'icon.png').replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked')
