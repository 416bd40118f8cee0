/** Text of a file or a server for a terminal: one line, without control characters, which could command the terminal. */
export function plainText(text: string, max = 500): string {
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '�')
  return plain.length > max ? `${plain.slice(0, max - 1)}…` : plain
}
