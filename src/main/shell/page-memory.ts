/**
 * Switches of V8 for the page of the desk. Up to 640 MB its JavaScript may grow: a tenth of it holds 100 000 calls, or a body of 60 MB.
 * Where V8 may take gigabytes it also lets garbage, and that of the layout, pile up to several times of what is in use
 * before it collects: scrolling through a large capture took 430 MB, and half of that below this bound (bench/README.md).
 */
export const PAGE_JS_FLAGS = '--max-old-space-size=640'
