/** What this program itself is told by its environment is nothing for the servers that it starts. */
const OWN = /^(SLUICE_|ELECTRON_)/

/**
 * Tells a server that it was started by a gateway: the gateway's entry in `Via`. `sluice connect` sends it along, so that
 * one that is configured as a backend of the gateway that it carries to is refused, and does not go round for ever.
 */
export const VIA_VARIABLE = 'SLUICE_VIA'

/**
 * The environment of a server: Sluice's own, so that proxies, certificates and package registries stay set; with the
 * PATH of the user's login shell where that was looked up; and over it all what configuration says.
 */
export function serverEnvironment(
  configured: Readonly<Record<string, string>>,
  searchPath: string | undefined,
  via: string,
  own: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string | undefined> {
  // Windows takes names that differ in case for the same, and of two the first in the order of the alphabet.
  const key = (name: string): string => (platform === 'win32' ? name.toUpperCase() : name)
  const replaced = new Set(Object.keys(configured).map(key))
  const inherited = Object.fromEntries(
    Object.entries(own).filter(([name]) => !OWN.test(name) && !replaced.has(key(name))),
  )
  return { ...inherited, ...(searchPath === undefined ? {} : { PATH: searchPath }), ...configured, [VIA_VARIABLE]: via }
}
