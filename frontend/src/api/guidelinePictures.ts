/** Pictures in guidelines: a text names a picture of the benchmark by its label, as in `![two lanterns](img-0042)`. */

/** Finds the address of a named picture; null if the name is no label. */
export function guidelinePictures(slug: string, kind: string): (written: string) => string | null {
  return (written) => (/^img-\d{4,9}$/.test(written) ? `/api/v1/benchmarks/${slug}/guidelines/${kind}/pictures/${written}` : null);
}
