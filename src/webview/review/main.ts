/** Entry of the webview in which scripts are reviewed before they are opened. */
import '../kit/screen-texts';
import type { FromReview, ToReview } from '../../protocol';
import { joinPage } from '../kit/page-host';
import { readToReview } from '../../received';
import { Review } from './review';

joinPage<ToReview, FromReview>(readToReview, (root, host) => new Review(root, window, host));
