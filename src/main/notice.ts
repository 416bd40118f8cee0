/** Something a user should hear of that is no reason to stop. */
export interface Notice {
  level: 'info' | 'warning'
  text: string
  /** Where it is about one, its name. */
  backend?: string
}
