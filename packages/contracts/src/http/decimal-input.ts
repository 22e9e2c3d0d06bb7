import * as z from 'zod/mini';

/** A number of a form, which may come as one or as its text. Reads as the text. */
export const decimalInput = (pattern: RegExp, error: string) =>
  z.pipe(
    z.union([z.string(), z.number()], { error }),
    z.pipe(
      z.transform((value: string | number) => String(value).trim()),
      z.string().check(z.regex(pattern, { error })),
    ),
  );
