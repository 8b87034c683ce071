/** The OpenAPI document, as far as this house writes it. */

/** JSON Schema 2020-12, as far as this house writes it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly examples?: readonly unknown[];
  readonly const?: string | number;
  readonly default?: string | number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

export interface ParameterObject {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface HeaderObject {
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
}

export interface ExampleObject {
  readonly summary?: string;
  readonly value: unknown;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, { readonly $ref: string } | HeaderObject>>;
  readonly content?: Readonly<
    Record<string, { readonly schema: Schema; readonly examples?: Readonly<Record<string, ExampleObject>> }>
  >;
}

export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly ParameterObject[];
  readonly responses: Readonly<Record<string, ResponseObject | { readonly $ref: string }>>;
}

export interface ApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, { readonly get: OperationObject }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly headers: Readonly<Record<string, HeaderObject>>;
  };
}
