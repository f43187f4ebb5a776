/**
 * Opens the editors of one set of scripts, one after the other. The reader can stop that; the next run continues at the
 * same place.
 */
import type { ScriptSet } from '../../core/script/script-set';
import type { ScriptEditor } from '../../hosts/host';
import { joinSentences, t } from '../../core/language';

export class ScriptOpening {
  private opened = 0;

  constructor(
    readonly scripts: ScriptSet,
    private readonly editor: ScriptEditor,
    private readonly serverId: string,
  ) {}

  get total(): number {
    return this.scripts.scripts.length;
  }

  /** How many are left to open. Once all were opened, all count again. */
  get left(): number {
    return this.total - this.start;
  }

  get isWhole(): boolean {
    return this.opened === this.total;
  }

  /** The scripts of the set that were opened; null if none yet. */
  get openedScripts(): ScriptSet | null {
    if (this.isWhole) return this.scripts;
    return this.opened === 0
      ? null
      : { ...this.scripts, scripts: this.scripts.scripts.slice(0, this.opened) };
  }

  /**
   * Opens what is left. The signal stops it between two editors.
   * @throws Error with one sentence that says how many were opened
   */
  async run(signal: AbortSignal, onProgress: (sentence: string) => void): Promise<void> {
    this.opened = this.start;
    for (const { title, kind, text } of this.scripts.scripts.slice(this.opened)) {
      if (signal.aborted) return;
      onProgress(t('Opening {0} of {1}…', this.opened + 1, this.total));
      try {
        await this.editor.open(text, title, this.serverId, kind === 'rollback' ? 'beside' : 'in front');
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new Error(
          joinSentences(
            t('Opened {0} of {1} editors.', this.opened, this.total),
            t('{0} could not be opened: {1}.', title, why.replace(/\.$/, '')),
            GO_ON,
          ),
        );
      }
      this.opened++;
    }
  }

  /** "Stopped: 36 of 100 editors are open. ..." */
  describeStop(): string {
    return joinSentences(t('Stopped. Opened {0} of {1} editors.', this.opened, this.total), GO_ON);
  }

  private get start(): number {
    return this.isWhole ? 0 : this.opened;
  }
}

const GO_ON = t('Open them again to continue with the next one. Nothing was executed.');
