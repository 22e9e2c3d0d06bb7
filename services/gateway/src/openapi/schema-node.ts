/** A node of a JSON schema or of an OpenAPI document. */
// biome-ignore lint/suspicious/noExplicitAny: a document of foreign form, read by its keys
export type Node = Record<string, any>;

export const PLACE_OF_SCHEMAS = '#/components/schemas/';

/** The schema that a reference names. */
export function resolved(schema: Node, schemas: Node): Node {
  const { $ref } = schema;
  return $ref ? resolved(schemas[$ref.slice(PLACE_OF_SCHEMAS.length)], schemas) : schema;
}
