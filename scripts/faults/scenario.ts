/** What all scenarios are. */
export interface Finding {
  readonly fault: string;
  readonly found: string;
  readonly isRight: boolean;
}

export interface ScenarioOptions {
  /** Short, for every change of the code. */
  readonly isQuick: boolean;
}

export interface Scenario {
  readonly name: string;
  readonly run: (options: ScenarioOptions) => Promise<readonly Finding[]>;
}
