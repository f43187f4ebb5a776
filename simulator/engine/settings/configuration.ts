import {
  listConfigurationOptions,
  type ConfigurationOption,
  type ConfiguredServer,
} from './configuration-options';
import { errors } from '../interface/errors';
import type { Configuration } from '../interface/instance';
import { DEFAULT_RECOVERY_INTERVAL_MINUTES } from '../databases/physics';

const RECOVERY_INTERVAL = 101;
/** Above it, RECONFIGURE asks for WITH OVERRIDE: Microsoft Learn, "RECONFIGURE (Transact-SQL)" and message 5807. */
const RECOMMENDED_RECOVERY_INTERVAL_MINUTES = 60;

/** The options of sp_configure: their values, and the values in use until RECONFIGURE. */
export class InstanceConfiguration {
  /** Rises with every change. */
  version = 1;
  private readonly options: ReadonlyMap<number, ConfigurationOption>;
  private readonly wanted = new Map<number, number>();
  private readonly inUse = new Map<number, number>();

  constructor(server: ConfiguredServer) {
    const options = listConfigurationOptions(server);
    this.options = new Map(options.map((option) => [option.id, option]));
  }

  list(): readonly Configuration[] {
    return [...this.options.values()].map((option) => {
      const value = this.wanted.get(option.id) ?? option.value;
      return {
        ...option,
        value,
        valueInUse: Math.max(this.inUse.get(option.id) ?? option.value, option.leastInUse ?? -Infinity),
      };
    });
  }

  /**
   * Sets what RECONFIGURE is to apply.
   * @returns message 15457, which goes to the client and to the error log
   * @throws SqlError 15129 outside of the option's range, 15123 for an unknown option
   */
  change(id: number, value: number): string {
    const option = this.options.get(id);
    if (option === undefined) throw errors.noSuchConfiguration(String(id));
    const { name, minimum, maximum } = option;
    // 0 leaves it to the server, also if the range begins higher (locks, max worker threads).
    if (!Number.isInteger(value) || value > maximum || (value < minimum && value !== 0))
      throw errors.invalidConfiguration(value, name);
    const before = this.wanted.get(id) ?? option.value;
    this.wanted.set(id, value);
    this.version += 1;
    return `Configuration option '${name}' changed from ${before} to ${value}. Run the RECONFIGURE statement to install.`;
  }

  /**
   * Applies every pending change of a dynamic option. The others wait for a restart, and the model has none.
   * @throws SqlError 5807 for a recovery interval above an hour without override
   */
  reconfigure(withOverride: boolean): void {
    const interval = this.wanted.get(RECOVERY_INTERVAL) ?? 0;
    if (
      interval > RECOMMENDED_RECOVERY_INTERVAL_MINUTES &&
      interval !== this.inUse.get(RECOVERY_INTERVAL) &&
      !withOverride
    )
      throw errors.recoveryIntervalNotRecommended(RECOMMENDED_RECOVERY_INTERVAL_MINUTES);
    for (const [id, value] of this.wanted)
      if (this.options.get(id)?.isDynamic === true) this.inUse.set(id, value);
    this.version += 1;
  }

  /** The recovery interval in use, in minutes; 0 means one. */
  get recoveryIntervalMinutes(): number {
    const minutes = this.inUse.get(RECOVERY_INTERVAL) ?? this.options.get(RECOVERY_INTERVAL)?.value ?? 0;
    return minutes === 0 ? DEFAULT_RECOVERY_INTERVAL_MINUTES : minutes;
  }
}
