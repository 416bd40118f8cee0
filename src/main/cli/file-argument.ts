import { InvalidArgumentError } from 'commander'

/** The name of a file to read. A dash would be standard input, which cannot be read twice; a file of that name is `./-`. */
export function readFrom(name: string): string {
  if (name === '-')
    throw new InvalidArgumentError(
      'It is read more than once, so it cannot come from standard input: write it to a file first.',
    )
  return name
}

/** The name of a file to write. A dash would be standard output, which cannot be taken back when something goes wrong. */
export function writeTo(name: string): string {
  if (name === '-')
    throw new InvalidArgumentError('It is there whole or not at all, so it cannot go to standard output: name a file.')
  return name
}
