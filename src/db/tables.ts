/** The columns of each table; every noun adds its own in its `tables.ts`. */
export interface Tables {
  properties: {
    key: string;
    value: string;
  };
}
