/**
 * Switches of V8 for the page of the desk. Up to 900 MB its JavaScript may grow; it needs a tenth of it with 100 000 calls.
 * Where V8 may take gigabytes it also lets garbage, and that of the layout, pile up to several times of what is in use
 * before it collects: scrolling through a large capture took 430 MB, and 220 MB below this bound (bench/README.md).
 */
export const PAGE_JS_FLAGS = '--max-old-space-size=900'
