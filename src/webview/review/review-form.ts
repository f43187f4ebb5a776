/**
 * What the reader can change of a plan, in one row: the target, the waves, and what happens between waves. Errors of a
 * field stand below the row.
 */
import { readReviewDraft, type ReviewDraft, type ReviewField } from '../../core/review/review-draft';
import type { ReviewPage } from '../../core/review/review-page';
import { createElement, showText, wrap } from '../kit/elements';
import { t } from '../../core/language';

interface ReviewFormEvents {
  onText(field: ReviewField, text: string): void;
  onBetween(between: ReviewDraft['between']): void;
}

interface FieldSpec {
  readonly field: ReviewField;
  /** Takes words, not a number. */
  readonly isText?: boolean;
  readonly label: string;
  readonly unit: string;
  /** Shown in the empty field. */
  readonly empty?: string;
  readonly hint: string;
}

const FIELDS: readonly FieldSpec[] = [
  {
    field: 'targetSeconds',
    label: t('Target recovery time'),
    unit: 's',
    hint: t(
      '60 is the default since SQL Server 2016. The backlog of dirty pages is written at once, and plans may be compiled again.',
    ),
  },
  {
    field: 'canary',
    label: t('First wave'),
    unit: '',
    empty: t('none'),
    hint: t('How many databases go first. Empty: no first wave.'),
  },
  {
    field: 'batch',
    label: t('then'),
    unit: t('at a time'),
    empty: t('all'),
    hint: t('How many databases go in each later wave. Empty: all that are left.'),
  },
];
const REASON: FieldSpec = {
  field: 'reason',
  isText: true,
  label: t('Reason'),
  unit: '',
  hint: t(
    'Why this target. It goes into the change record. A target of 0, automatic checkpoints, needs a reason.',
  ),
};
const PAUSE_FIELDS: readonly FieldSpec[] = [
  {
    field: 'pauseMinutes',
    label: t('Pause'),
    unit: t('minutes'),
    hint: t('The script keeps its connection open meanwhile.'),
  },
  {
    field: 'stopAboveWriteMs',
    label: t('Stop if a data write takes more than'),
    unit: 'ms',
    hint: t(
      'Average over the chosen databases, during the pause. Empty: twice the average of the first pause, at least 5 ms.',
    ),
  },
];

interface Field {
  readonly input: HTMLInputElement;
  readonly error: HTMLElement;
}

export class ReviewForm {
  readonly element: HTMLElement;
  private readonly fields = new Map<ReviewField, Field>();
  private readonly wait: HTMLInputElement;
  private readonly pause: HTMLElement;
  private readonly shortTarget: HTMLElement;

  constructor(private readonly events: ReviewFormEvents) {
    const create = (spec: FieldSpec): HTMLElement => this.createField(spec);
    this.shortTarget = createElement('p.note.warning', { hidden: '' });
    this.wait = createElement('input', { type: 'checkbox' });
    this.wait.addEventListener('change', () => events.onBetween(this.wait.checked ? 'pause' : 'by hand'));
    this.pause = createElement('div.fields', { hidden: '', children: PAUSE_FIELDS.map(create) });
    const wait = createElement('label.choice', {
      title: t(
        'The script pauses before each wave, checks writes and logs, then goes on or stops. Otherwise you run it once for each wave.',
      ),
      children: [this.wait, t('Run all waves, pausing between them')],
    });
    const row = wrap('div.fields', [...FIELDS.map(create), wait, this.pause, create(REASON)]);
    const errors = [...this.fields.values()].map(({ error }) => error);
    this.element = createElement('form.review-form', {
      'aria-label': t('What the scripts do'),
      novalidate: '',
      children: [row, ...errors, this.shortTarget],
    });
    this.element.addEventListener('submit', (event) => event.preventDefault());
  }

  /** Writes a draft into the fields; only for a draft that did not come from them. */
  fill(draft: ReviewDraft): void {
    for (const [field, { input }] of this.fields)
      if (input.value !== draft.texts[field]) input.value = draft.texts[field];
    this.wait.checked = draft.between === 'pause';
  }

  update(draft: ReviewDraft, page: ReviewPage | null): void {
    const { errors } = readReviewDraft(draft);
    for (const [field, { input, error }] of this.fields) {
      const sentence = errors[field] ?? '';
      showText(error, sentence);
      if (sentence === '') input.removeAttribute('aria-invalid');
      else input.setAttribute('aria-invalid', 'true');
    }
    this.pause.hidden = draft.between !== 'pause';
    showText(this.shortTarget, page?.shortTarget ?? null);
  }

  private createField({ field, isText = false, label, unit, empty, hint }: FieldSpec): HTMLElement {
    const id = `field-${field}`;
    const input = createElement('input', {
      class: isText ? 'words' : 'num',
      title: hint,
      id,
      type: 'text',
      placeholder: empty ?? null,
      inputmode: isText ? null : 'numeric',
      autocomplete: 'off',
      'aria-describedby': `${id}-unit ${id}-hint ${id}-error`,
    });
    input.addEventListener('input', () => this.events.onText(field, input.value));
    const error = createElement('p.field-error', { id: `${id}-error`, hidden: '' });
    this.fields.set(field, { input, error });
    return createElement('div', {
      class: isText ? 'field wide' : 'field',
      children: [
        createElement('label', { text: label, for: id }),
        input,
        createElement('span', { text: unit, id: `${id}-unit` }),
        createElement('span', { text: hint, id: `${id}-hint`, hidden: '' }),
      ],
    });
  }
}
