/** Entry of the webview in which scripts are reviewed before they are opened. */
import '../kit/screen-texts';
import type { FromReview, ToReview } from '../../protocol';
import { joinPage } from '../kit/page-host';
import { Review } from './review';

joinPage<ToReview, FromReview>((root, host) => new Review(root, window, host));
