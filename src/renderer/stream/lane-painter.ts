import { SHAPES, type LinkLook, type MarkLook } from './lane-looks'
import { PICTURE_LEFT, type LanePicture } from './lane-picture'
import type { Point } from './progress-steps'

/** How something is drawn, as the style sheet says. */
export interface Ink {
  fill: string
  stroke: string
  width: number
  opacity: number
}
/** What has an ink of its own. */
export type Inked = `mark ${MarkLook}` | `link ${LinkLook}` | 'progress area' | 'progress line'
export type Inks = Readonly<Record<Inked, Ink>>

/** Where a picture is put: the size in CSS pixels, and how many of the screen there are to one. */
export interface Sheet {
  width: number
  height: number
  pixels: number
}

const shapes = new Map<MarkLook, Path2D>()

/** Draws pictures of lanes, of one that grows no more than what is new. */
export class LanePainter {
  readonly #canvas: HTMLCanvasElement
  #picture: LanePicture | null = null
  #inks: Inks | null = null
  #pixels = 0

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas
  }

  /** `end`: the moment up to which progress is drawn, in microseconds since the call was received. */
  paint(picture: LanePicture, inks: Inks, sheet: Sheet, end: number): void {
    const context = this.#canvas.getContext('2d')
    if (context === null) return
    const resized = this.#resize(sheet)
    const grownFrom = picture.grow()
    const anew = resized || picture !== this.#picture || inks !== this.#inks
    this.#picture = picture
    this.#inks = inks
    // By whole pixels of the screen, at which what stays and what is new meet without a seam.
    const left = anew ? 0 : Math.max(0, Math.floor((grownFrom - PICTURE_LEFT) * sheet.pixels) / sheet.pixels)
    if (left >= sheet.width) return
    context.setTransform(sheet.pixels, 0, 0, sheet.pixels, 0, 0)
    context.save()
    context.beginPath()
    context.rect(left, 0, sheet.width - left, sheet.height)
    context.clip()
    context.clearRect(left, 0, sheet.width - left, sheet.height)
    context.translate(-PICTURE_LEFT, 0)
    draw(context, picture, inks, left + PICTURE_LEFT, end)
    context.restore()
  }

  /** A canvas that is given a size is empty. */
  #resize({ width, height, pixels }: Sheet): boolean {
    const across = Math.round(width * pixels)
    const down = Math.round(height * pixels)
    if (this.#canvas.width === across && this.#canvas.height === down && this.#pixels === pixels) return false
    this.#canvas.width = across
    this.#canvas.height = down
    this.#pixels = pixels
    return true
  }
}

function draw(context: CanvasRenderingContext2D, picture: LanePicture, inks: Inks, from: number, end: number): void {
  for (const link of picture.links(from)) {
    take(context, inks[`link ${link.look}`])
    context.beginPath()
    context.moveTo(link.from.x, link.from.y)
    context.lineTo(link.to.x, link.to.y)
    context.stroke()
  }
  for (const { look, x, y } of picture.marks(from)) {
    const ink = inks[`mark ${look}`]
    take(context, ink)
    context.translate(x, y)
    if (ink.fill !== 'none') context.fill(shapeOf(look))
    if (ink.stroke !== 'none') context.stroke(shapeOf(look))
    context.translate(-x, -y)
  }
  const corners = picture.steps(from, end)
  const [first] = corners
  const last = corners.at(-1)
  if (first === undefined || last === undefined || picture.base === null) return
  take(context, inks['progress area'])
  line(context, [{ x: first.x, y: picture.base }, ...corners, { x: last.x, y: picture.base }])
  context.fill()
  take(context, inks['progress line'])
  line(context, corners)
  context.stroke()
}

function take(context: CanvasRenderingContext2D, ink: Ink): void {
  context.globalAlpha = ink.opacity
  if (ink.fill !== 'none') context.fillStyle = ink.fill
  if (ink.stroke !== 'none') context.strokeStyle = ink.stroke
  context.lineWidth = ink.width
}

function line(context: CanvasRenderingContext2D, points: readonly Point[]): void {
  context.beginPath()
  for (const { x, y } of points) context.lineTo(x, y)
}

function shapeOf(look: MarkLook): Path2D {
  const known = shapes.get(look)
  if (known !== undefined) return known
  const shape = new Path2D(SHAPES[look].path)
  shapes.set(look, shape)
  return shape
}
