import { join } from 'node:path'

/** The icon beside the built code, outside of the archive of a package: not everything that shows it can look into that. */
export const ICON = join(import.meta.dirname, 'icon.png').replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked')
