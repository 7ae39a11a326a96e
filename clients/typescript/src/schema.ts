// Generated from the gateway's document by `npm run client:types`: do not edit.

export interface paths {
    "/api/v1/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a token
         * @description Exchanges a credential for a bearer token of 300 seconds. There is no refresh token: fetch a new one shortly before the old one ends, and keep it for all calls until then. The token carries the credential's capabilities as they are now; a change of them counts from the next token on. An unknown `clientId` and a wrong secret are answered alike. At most 10 calls in any 60 seconds for one `clientId` from one network (IPv4 /24, IPv6 /64); calls that are refused do not lengthen the wait.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scent/offers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List offers: newest first, or by change time with changedSince
         * @description Lists your offers of every source, newest first. With `changedSince` it lists only offers that changed strictly after that instant, in order of change. Read all pages, then poll with the `details.nextChangedSince` of the last one to miss no change; an offer can appear again, so reconcile by `id`. `from` and `to` limit the creation time, both ends included; `from` must not be after `to`. Text filters match the exact value. `include=history` adds each offer's newest 100 status changes.
         *
         *     Capability: any one of `Offers`, `Stock`, `Cost`.
         */
        get: operations["listOffers"];
        put?: never;
        /**
         * Submit an offer
         * @description Submits a product for review, at a cost or at a sale price. With a `variantId` the offer becomes `PendingReview`. Without one it requires `rawBrandName` and `rawProductName` and becomes `PendingMatch`. With `saveAsDraft` it becomes a `Draft`, which no reviewer sees until you submit it. `cost` and `costIsVatInclusive` are required under both pricing models. Under `PercentageOfSale` the cost is information only and may be 0, and the offer needs a `salePrice` before a reviewer can approve it. An offer goes on sale only after its approval.
         *
         *     **Idempotent by `vendorExternalId`**: if an offer that you submitted through this API already has this `vendorExternalId`, the call returns that offer unchanged with 200 and `details.existing`, and ignores the rest of the body. Without a `vendorExternalId` each call without an `Idempotency-Key` creates another offer.
         *
         *     Capability: `Offers`.
         */
        post: operations["createOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scent/offers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an offer
         * @description Reads one of your offers of any source, in the nested form with its change time. `include=history` adds its newest 100 status changes, oldest first, with the reviewer's reasons.
         *
         *     Capability: any one of `Offers`, `Stock`, `Cost`.
         */
        get: operations["getOffer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update an offer
         * @description Updates some fields of an offer that you submitted through this API. An offer that an operator entered for you answers 404. A field that is absent or null keeps its value. A blank text clears the field, except `barcode`, and except the two names while the offer has no match. A value that is already stored is no change.
         *
         *     **Two forms of the body.** Without stock it is the newer form and returns the nested offer. With `declaredStockQuantity` or `declaredInStock`, null too, it is the older form: it requires `cost` and `costIsVatInclusive`, does not allow `barcode` and the sale price, and returns the flat offer. Under `PercentageOfSale` the older form is always 422. Prefer the newer form, and push stock to its own route. A VAT flag without its price is ignored.
         *
         *     **Effect on the status.** On an `Approved` offer a new price is staged: the live price stays in force until a reviewer applies the new one. A changed `vendorSku`, `vendorExternalId` or `raw…` field, or a replaced `barcode`, moves an `Approved` offer to `PendingReview`. Every edit of a `Rejected` offer sends it back to review; so does a price of the new model on a `PendingRepricing` offer. These resubmissions and every product detail require a barcode on the offer or in the body. An update never changes the match.
         *
         *     Capability: `Offers`.
         */
        patch: operations["updateOffer"];
        trace?: never;
    };
    "/api/v1/scent/offers/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the status changes of an offer
         * @description Lists all status changes of one of your offers, oldest first. `include=history` of the other reads has the newest 100. A change that comes later is added at the end, so the earlier pages stay as they are.
         *
         *     Capability: any one of `Offers`, `Stock`, `Cost`.
         */
        get: operations["listOfferHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scent/offers/{id}/cost": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Push a cost
         * @description Declares a new cost and changes nothing else. It requires an agreement of the model `CostPlusMargin`. A staged cost shows as `cost.pending`. If the offer was ever approved, the new price is staged, and the live price stays in force until a reviewer applies or discards the staged one; otherwise it is live at once. Repeating the push changes nothing. Pushing the live price again drops the staged price. On a `Rejected` or `PendingRepricing` offer a push sends the offer back to review, which requires a barcode on the offer. All pushes of a vendor share one rate limit, apart from other calls.
         *
         *     Capability: `Cost`.
         */
        patch: operations["pushCost"];
        trace?: never;
    };
    "/api/v1/scent/offers/{id}/sale-price": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Push a sale price
         * @description Declares a new sale price, which includes the whole commission, and changes nothing else. It requires an agreement of the model `PercentageOfSale`. A staged sale price shows as `price.pending`. If the offer was ever approved, the new price is staged, and the live price stays in force until a reviewer applies or discards the staged one; otherwise it is live at once. Repeating the push changes nothing. Pushing the live price again drops the staged price. On a `Rejected` or `PendingRepricing` offer a push sends the offer back to review, which requires a barcode on the offer. All pushes of a vendor share one rate limit, apart from other calls.
         *
         *     Capability: `Cost`.
         */
        patch: operations["pushSalePrice"];
        trace?: never;
    };
    "/api/v1/scent/offers/{offerId}/stock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Push stock
         * @description Declares stock. It takes effect at once, without a review, on the offer and its supply option. It works on all your offers and never changes a status. Out of stock requires a quantity of 0 or none; in stock requires a quantity above 0 or none. In stock without a quantity keeps a stored quantity above 0; otherwise the quantity becomes unknown. Repeating the push changes nothing. A `Rejected` offer requires a barcode on the offer. All pushes of a vendor share one rate limit, apart from other calls.
         *
         *     Capability: `Stock`.
         */
        patch: operations["pushStock"];
        trace?: never;
    };
    "/api/v1/scent/offers/stock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Push stock of many offers
         * @description Declares the stock of up to 1,000 offers. Each item has the rules and the effect of the single push. `results` has one result for each item, in the order of `items`: the version of the offer, or the error that the single push would return. An item that fails, a malformed one too, does not stop the others. The second item for one offer fails with the code `duplicate`. Items are stored in transactions of up to 250: after `SERVICE_UNAVAILABLE` or `GATEWAY_TIMEOUT` in a result, send that item again; repeating a push that was stored changes nothing. All items of a vendor share one rate limit, apart from other calls; each call counts at least 10 items, and one for each KiB of its body. A call with more items than are left is 429 and stores nothing.
         *
         *     Capability: `Stock`.
         */
        patch: operations["pushStocks"];
        trace?: never;
    };
    "/api/v1/scent/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List jobs
         * @description Lists your jobs, newest first, of the kinds that the capabilities of the token allow. A job is kept for 30 days after its end, by default.
         *
         *     Capability: any one of `Offers`, `Stock`, `Cost`.
         */
        get: operations["listJobs"];
        put?: never;
        /**
         * Start a bulk job
         * @description Accepts up to 10,000 items in up to 8 MiB, and runs them in the background, each by the rules of its single call. The kind needs the capability of that call. A `text/csv` body (a header row with the names of fields) needs the parameter `kind`. An item has at most 64 KiB. Your jobs run one after another.
         *
         *     Capability: any one of `Offers`, `Stock`, `Cost`.
         */
        post: operations["startJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scent/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a job
         * @description Reads one job: its state, how many items have run, and when it will end.
         *
         *     Capability: any one of `Offers`, `Stock`, `Cost`.
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scent/jobs/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the results of a job
         * @description Lists the results of the items that have run, in their order. As CSV, by `format` or by `Accept`, it is one file with all of them, without pages and envelope.
         *
         *     Capability: any one of `Offers`, `Stock`, `Cost`.
         */
        get: operations["listJobResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scent/jobs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a job
         * @description No further item runs. Items that have run stay as they are; revert the job to undo them. A cancelled job stays cancelled; a finished one is refused. It takes no body.
         *
         *     Capability: any one of `Offers`, `Stock`, `Cost`.
         */
        post: operations["cancelJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scent/jobs/{id}/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revert a job
         * @description Starts a job that restores what an ended job changed: prices, stock and fields get their earlier values back, and created offers are withdrawn. An offer that has changed since stays as it is, with `CONFLICT_VERSION` as its result. A second call returns the same job. It takes no body.
         *
         *     Capability: any one of `Offers`, `Stock`, `Cost`.
         */
        post: operations["revertJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scent/offers/{id}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit a draft, a rejected or a withdrawn offer
         * @description Sends a `Draft`, `Rejected` or `Withdrawn` offer to review: it becomes `PendingReview` if it is matched to a variant, and `PendingMatch` if not. A `Rejected` offer needs a barcode, as for an edit; the others need none. The call takes no body. Price and stock do not change.
         *
         *     Capability: `Offers`.
         */
        post: operations["submitOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scent/offers/{id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw an offer
         * @description Takes an offer off sale at once. It works in every status except `Withdrawn`. Price, stock and product data do not change; you can edit them without a change of status. Submit the offer to send it back to review. The call takes no body.
         *
         *     Capability: `Offers`.
         */
        post: operations["withdrawOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scent/variants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the variant of an offer
         * @description Lists the active variants of the catalogue, newest first: all of them, those with a barcode, or those with the words of a text. An offer that names its variant (`variantId`) needs no match by a reviewer, only the approval.
         *
         *     Capability: `Offers`.
         */
        get: operations["searchVariants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scent/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List shipments: by order creation, or by change time with changedSince
         * @description Lists your fulfilment groups in the order in which their orders were created. With `changedSince` it lists only groups whose order changed strictly after that instant, in order of change. Poll with the `details.nextChangedSince` of the previous response to miss no change. A group can appear again unchanged when something else in its order changed, so reconcile by `groupId`. The list shows no money, no partner and no reference of the customer.
         *
         *     Capability: `Orders`.
         */
        get: operations["listShipments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scent/orders/{groupId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a shipment
         * @description Reads one of your fulfilment groups, as the list shows it.
         *
         *     Capability: `Orders`.
         */
        get: operations["getShipment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set your order id, the tracking reference and the carrier
         * @description Stores your own order id, the tracking reference and the carrier of a shipment, in any status. A field that is absent or null keeps its value; a blank text clears it. The carrier `Other` requires `carrierNameOther`; no other carrier allows it. The status does not change. Repeating the call changes nothing.
         *
         *     Capability: `Orders`.
         */
        patch: operations["updateShipment"];
        trace?: never;
    };
    "/api/v1/scent/orders/{groupId}/pack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a shipment as packed
         * @description Moves a shipment from `Pending` to `Packed` and sets `packedAt`. The call takes no body. It refuses a shipment that is already packed, so a repeated call never changes the time.
         *
         *     Capability: `Orders`.
         */
        post: operations["packShipment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scent/orders/{groupId}/ship": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a shipment as shipped
         * @description Moves a shipment from `Pending` or `Packed` to `Shipped` and sets `shippedAt`. The call takes no body: send carrier and tracking reference with the update call, before or after. The service reports the delivery.
         *
         *     Capability: `Orders`.
         */
        post: operations["shipShipment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scent/returns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List returns: newest first, or by change time with changedSince
         * @description Lists the returns that go to you, newest first; not those to another vendor or to a sorting point. With `changedSince` it lists only returns that changed strictly after that instant, in order of change; poll with the `details.nextChangedSince` of the previous response. `from` and `to` limit `requestedAt`, both ends included. `include=history` adds the status changes.
         *
         *     Capability: `Orders`.
         */
        get: operations["listReturns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scent/returns/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a return
         * @description Reads one return that goes to you, with its inspection, evidence and lines. `include=history` adds its status changes, oldest first.
         *
         *     Capability: `Orders`.
         */
        get: operations["getReturn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scent/returns/{id}/received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Confirm receipt
         * @description Confirms that the goods have arrived: moves a return from `InTransit` to `Received` and sets `receivedAt`. The call takes no body. After it you can add evidence. The inspection starts 24 hours later, unless an operator starts it sooner.
         *
         *     Capability: `Orders`.
         */
        patch: operations["confirmReturnReceipt"];
        trace?: never;
    };
    "/api/v1/scent/returns/{id}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add evidence: the URL of a photo or a document
         * @description Stores the URL of a photo or a document, in the statuses `Received` and `UnderInspection`. The URL must be absolute https without a user name; the service stores it in the normal form of URLs and never fetches it. Each call without an `Idempotency-Key` adds an entry, up to 100. The status does not change.
         *
         *     Capability: `Orders`.
         */
        post: operations["addReturnEvidence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scent/returns/{id}/inspection/propose": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Propose the outcome of an inspection
         * @description Stores your proposal while the return is `UnderInspection`. It requires at least one `Photo` as evidence. An operator decides: a proposal changes no status, and you can replace it until the decision and before `inspectionWindowDeadline`. From the deadline on, the call is refused with `details.reason` `WINDOW_CLOSED`. Proposing `Rejected` sets `requiresStaffReview`, which stays set. Without a proposal the service decides at the deadline, by what the customer claimed.
         *
         *     Capability: `Orders`.
         */
        patch: operations["proposeInspectionOutcome"];
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List subscriptions
         * @description Lists your subscriptions, newest first, inactive ones included. It never shows a secret.
         *
         *     Capability: `Orders`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Subscribe a URL
         * @description Subscribes a receiver to one or more event types. Each type requires a capability: `vendor.order.assigned` requires `Orders`, `vendor.offer.review-decision` requires `Offers`. The URL must be https on port 443 or 8443 and name a public host. At most five subscriptions can be active, and you can have twenty altogether; deleted ones do not count. The response contains the signing `secret` **this one time**; only a call with the `Idempotency-Key` of the first gets it again. With `ping` the call also sends a sample of the first event type, as test-fire does, and waits for it unless it has a key. [Webhooks](/docs/webhooks) explains how to verify signatures.
         *
         *     Capability: `Orders`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a subscription
         * @description Reads one of your subscriptions, with the result of its last delivery. It never shows the secret.
         *
         *     Capability: `Orders`.
         */
        get: operations["getWebhook"];
        /**
         * Change the URL or the event types of a subscription
         * @description Replaces the URL, the event types or the custom headers. A field that is absent keeps its value, and so does a null URL or list of event types. A new URL passes the same checks as at creation. Each added event type requires its capability; with a new URL or headers each subscribed one does, and each removed one whose events wait or are dead letters. The change applies from the next attempt on, also to events that wait for a retry.
         *
         *     Capability: `Orders`.
         */
        put: operations["updateWebhook"];
        post?: never;
        /**
         * Delete a subscription permanently
         * @description Deletes a subscription permanently and cancels the deliveries that wait. You can no longer list its delivery attempts.
         *
         *     Capability: `Orders`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List delivery attempts, newest first
         * @description Lists every attempt of the last 30 days, newest first, samples of test-fire included. Attempts of one event have the same `idempotencyKey`, which is the `eventId` that your receiver got. `from` and `to` limit when an attempt began, both ends included.
         *
         *     Capability: `Orders`.
         */
        get: operations["listDeliveryAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{attemptId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery attempt with its request and response
         * @description Reads one attempt with the body that was sent and what your receiver answered. The event type requires its capability.
         *
         *     Capability: `Orders`.
         */
        get: operations["getDeliveryAttempt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the statistics of a subscription
         * @description Counts the attempts of the last 24 hours, samples included, and gives the response times of your receiver.
         *
         *     Capability: `Orders`.
         */
        get: operations["getWebhookStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scent/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a subscription (alias)
         * @description An alias of `PUT /api/v1/webhooks/{id}`: both do the same.
         *
         *     Capability: `Orders`.
         */
        put: operations["updateScentWebhook"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Switch a subscription on or off
         * @description Deactivates a subscription or activates it again. An inactive subscription gets no events and does not count among the five that can be active. Deactivating cancels the deliveries that wait; activating does not restore them. Sending the present state changes nothing.
         *
         *     Capability: `Orders`.
         */
        patch: operations["setWebhookActive"];
        trace?: never;
    };
    "/api/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of a subscription
         * @description Generates a new signing secret and returns it **this one time**. The service signs every later attempt with it, so the previous secret no longer verifies. Each call generates another secret. Each event type of the subscription requires its capability, and each removed one whose events wait or are dead letters. The call takes no body.
         *
         *     Capability: `Orders`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test-fire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a sample event
         * @description Sends a sample of a subscribed event type like a real event, with signature and URL checks, and with `test: true` in its envelope. It makes one attempt without retries. The call waits for the attempt and returns it with 200 even if your receiver failed: read `succeeded`. The subscription must be active. By default, at most 10 samples in any 60 seconds for one subscription; calls that send none do not count.
         *
         *     Capability: `Orders`.
         */
        post: operations["testFireWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{attemptId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver an event
         * @description Starts a new retry schedule for the event of an attempt at once, whether the event was delivered or became a dead letter. A delivery that waits for a later attempt is attempted now, and keeps its schedule. The `idempotencyKey` stays the same and the attempt numbers continue, so a receiver that deduplicates drops an event it already has. The call refuses a delivery whose attempt is due or under way, one of an inactive subscription, and a sample. An event type that the subscription no longer has requires its capability. By default, at most 10 redeliveries in any 60 seconds for one subscription; refused calls do not count. It takes no body.
         *
         *     Capability: `Orders`.
         */
        post: operations["redeliverEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver everything that did not arrive
         * @description After an outage of your receiver, delivers everything since an instant. It puts deliveries that ended undelivered on a new retry schedule (`recovered`), makes deliveries that wait for a later attempt due now (`madeDue`), and delivers events that were never attempted because the subscription was inactive (`missed`). Each number is at most 10,000, the oldest first: repeat the call while it returns this maximum. Samples are left out, and so is an event type that the subscription no longer has and whose capability the token lacks. The subscription must be active. The limit of redeliveries does not apply; the recoveries of one subscription run one after another.
         *
         *     Capability: `Orders`.
         */
        post: operations["recoverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read your events in order, with or without webhooks
         * @description Lists your events in the order of their `sequence`, which counts all of them without a gap; a token sees the types of its capabilities. Each event is stored with its change, whether a subscription exists or not, and kept as long as deliveries. Continue with `nextAfter`. With `wait` the call answers as soon as there is an event. An `oldestSequence` above `after` + 1 says that events in between have expired.
         *
         *     Capability: any one of `Offers`, `Orders`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the event types with their schemas
         * @description Lists every event type with the capability that it requires, the JSON Schema of its body and an example. Later versions may add types, and fields to a body.
         *
         *     Capability: none.
         */
        get: operations["listEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/upcoming": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List upcoming changes, nearest first
         * @description Lists the changes that timers will cause, with their instants and how to prevent each. A past instant is overdue. Of each kind it has the nearest 500: `completeUntil` says from when on some are missing.
         *
         *     Capability: any one of `Orders`, `Account`.
         */
        get: operations["listUpcoming"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your credentials
         * @description Lists your credentials of one environment, newest first, deactivated and expired ones included. It never shows a secret.
         *
         *     Capability: none.
         */
        get: operations["listCredentials"];
        put?: never;
        /**
         * Generate a credential
         * @description Generates a credential that is valid for 365 days. You can grant only capabilities that your active credentials of all environments hold together. An operator issues your first credential. You can have twenty, inactive and expired ones included; deleted ones do not count. The response contains `clientSecret` **this one time**: only a call with the `Idempotency-Key` of the first gets it again. Each other call generates another credential.
         *
         *     Capability: `Account`.
         */
        post: operations["createCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credentials/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a credential permanently
         * @description Deletes a credential permanently. It gets no new tokens, and jobs that it started end. Tokens fetched with it before stay valid until they expire, within five minutes.
         *
         *     Capability: `Account`.
         */
        delete: operations["deleteCredential"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credentials/{id}/active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Switch a credential on or off
         * @description Deactivates a credential or activates it again. To become active, a credential may hold only capabilities that your other active credentials hold together. You can deactivate every credential, including the last one and the one you call with. Jobs that a credential started end when it is deactivated. Tokens fetched before stay valid until they expire. Sending the present state changes nothing. Only an operator activates again what an operator switched off.
         *
         *     Capability: `Account`.
         */
        patch: operations["setCredentialActive"];
        trace?: never;
    };
    "/api/v1/vendor/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read your profile
         * @description Reads your name, your contact address and the pricing model of your agreement. The pricing model decides whether `cost` or `salePrice` is your price field.
         *
         *     Capability: `Account`.
         */
        get: operations["getVendorProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update your profile
         * @description Changes your name, your contact address or both. A field that is absent or null keeps its value. A blank `contactEmail` clears it. Only an operator changes the pricing model.
         *
         *     Capability: `Account`.
         */
        patch: operations["updateVendorProfile"];
        trace?: never;
    };
    "/api/v1/sandbox/vendors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a vendor with a credential
         * @description Creates a vendor of yours and its first credential, with every capability. The response contains `clientSecret` **this one time**. The call needs no token. By default, at most 10 calls an hour from one address.
         */
        post: operations["sandboxRegisterVendor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read your clock
         * @description Reads the time by your clock, and whether it advances. Each response of a sandbox has the same time in `X-Sandbox-Time`.
         *
         *     Capability: none.
         */
        get: operations["getSandboxClock"];
        put?: never;
        /**
         * Advance your clock
         * @description Advances the time of your offers, shipments and returns, of events and of retries of deliveries; no other vendor notices. The clock goes from one instant at which something is due to the next, and stands there until it is done, so that everything happens in order, with its events and webhooks. Read the clock until it is `Ready`. It can be at most 365 days ahead, and never goes back. Tokens, rate limits and signatures keep real time.
         *
         *     Capability: none.
         */
        post: operations["advanceSandboxClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/offers/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve an offer, as a reviewer
         * @description Approves an offer in review: it goes on sale, and a staged price becomes live. Without `variantId`, an offer without a match is matched to a new variant with its data. The offer needs a price above 0 of your agreement. You get `vendor.offer.review-decision`.
         *
         *     Capability: none.
         */
        post: operations["sandboxApproveOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/offers/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject an offer, as a reviewer
         * @description Rejects an offer in `Draft`, `PendingMatch` or `PendingReview`, with a reason that you see. You get `vendor.offer.review-decision`.
         *
         *     Capability: none.
         */
        post: operations["sandboxRejectOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/offers/{id}/pending-price/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the staged price live, as a reviewer
         * @description Decides on the staged price. The status of the offer does not change. The call takes no body. You get `vendor.offer.review-decision`.
         *
         *     Capability: none.
         */
        post: operations["sandboxApplyPendingPrice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/offers/{id}/pending-price/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Discard the staged price, as a reviewer
         * @description Decides on the staged price. The status of the offer does not change. The call takes no body. You get `vendor.offer.review-decision`.
         *
         *     Capability: none.
         */
        post: operations["sandboxDiscardPendingPrice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/offers/{id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suspend an offer, as a reviewer
         * @description Takes an `Approved` offer off sale at once, with a reason that you see. No event is sent.
         *
         *     Capability: none.
         */
        post: operations["sandboxSuspendOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/offers/{id}/reinstate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reinstate an offer, as a reviewer
         * @description Ends a suspension: the offer becomes `Approved`, `PendingReview` if an identity fact was edited meanwhile, or `PendingRepricing` if the pricing model was switched. The call takes no body. No event is sent.
         *
         *     Capability: none.
         */
        post: operations["sandboxReinstateOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/agreement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change your agreement, as staff
         * @description Puts an agreement into effect at once. `CostPlusMargin` requires `markupPercent`, `PercentageOfSale` requires `commissionPercent`. A change of the pricing model moves your `Approved` and `PendingReview` offers to `PendingRepricing`.
         *
         *     Capability: none.
         */
        put: operations["sandboxChangeAgreement"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Order your offers, as a customer
         * @description Creates an order of your approved offers, to an address of the sandbox. It is one shipment of yours, in `Pending`. You get `vendor.order.assigned`. Each call without an `Idempotency-Key` creates another order.
         *
         *     Capability: none.
         */
        post: operations["sandboxCreateOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/orders/{groupId}/deliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver a shipment, as the carrier
         * @description Moves a shipment from `Shipped` to `Delivered` and sets `deliveredAt`. The call takes no body.
         *
         *     Capability: none.
         */
        post: operations["sandboxDeliverShipment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/orders/{groupId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a shipment, as the customer
         * @description Moves a shipment that has not shipped to `Cancelled`. The call takes no body.
         *
         *     Capability: none.
         */
        post: operations["sandboxCancelShipment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/returns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Return a shipment, as a customer
         * @description Creates a return of your shipment, which goes to you, and moves it up to the status `upTo`. Each call without an `Idempotency-Key` creates another return.
         *
         *     Capability: none.
         */
        post: operations["sandboxCreateReturn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/returns/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a return, as staff
         * @description Moves a return from `Pending` to `Approved`. The call takes no body.
         *
         *     Capability: none.
         */
        post: operations["sandboxApproveReturn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/returns/{id}/in-transit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the goods of a return, as the customer
         * @description Moves a return from `Approved` to `InTransit`: you can confirm its receipt next. The call takes no body.
         *
         *     Capability: none.
         */
        post: operations["sandboxMarkReturnInTransit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/returns/{id}/refund-released": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release the refund of a return, as staff
         * @description Moves a return from `InspectionAccepted` to `RefundReleased`, which is final. The call takes no body.
         *
         *     Capability: none.
         */
        post: operations["sandboxReleaseRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/returns/{id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a return, as staff
         * @description Moves a return from `Approved` or `InspectionRejected` to `Closed`, which is final. The call takes no body.
         *
         *     Capability: none.
         */
        post: operations["sandboxCloseReturn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/returns/{id}/start-inspection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start the inspection of a return, as staff
         * @description Moves a return from `Received` to `UnderInspection` before its time. The inspection window begins now. The call takes no body.
         *
         *     Capability: none.
         */
        post: operations["sandboxStartInspection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/returns/{id}/decide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide the outcome of an inspection, as staff
         * @description Decides a return that is `UnderInspection`. `AcceptedDefect` and `AcceptedSound` lead to `InspectionAccepted`, `Rejected` to `InspectionRejected`.
         *
         *     Capability: none.
         */
        post: operations["sandboxDecideInspection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete your offers, orders, returns, events and jobs
         * @description Deletes your offers, orders, returns, events and jobs in one step, and ends their workflow runs. Credentials, subscriptions, the agreement and the clock stay. Events get higher numbers than before. A repeated call deletes what was created since. The call takes no body.
         *
         *     Capability: none.
         */
        post: operations["sandboxReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "vendor.order.assigned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive vendor.order.assigned
         * @description A shipment was assigned to the vendor. Requires the capability `Orders`.
         */
        post: operations["onVendorOrderAssigned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "vendor.offer.review-decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive vendor.offer.review-decision
         * @description A reviewer approved or rejected an offer, returned it to review, or applied or discarded a staged price. Requires the capability `Offers`.
         */
        post: operations["onVendorOfferReviewDecision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "vendor.order.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive vendor.order.changed
         * @description An operator delivered, cancelled or returned a shipment. Requires `Orders`, as the following types do.
         */
        post: operations["onVendorOrderChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "vendor.offer.agreement-switched": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive vendor.offer.agreement-switched
         * @description The pricing model changed, and offers may need new prices. Requires `Offers`.
         */
        post: operations["onVendorOfferAgreementSwitched"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "vendor.return.requested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive vendor.return.requested
         * @description A customer requested a return that goes to the vendor.
         */
        post: operations["onVendorReturnRequested"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "vendor.return.received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive vendor.return.received
         * @description The goods of a return arrived.
         */
        post: operations["onVendorReturnReceived"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "vendor.return.inspection-started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive vendor.return.inspection-started
         * @description The vendor can propose an outcome.
         */
        post: operations["onVendorReturnInspectionStarted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "vendor.return.inspection-closing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive vendor.return.inspection-closing
         * @description The inspection window ends soon, and without a proposal silence decides.
         */
        post: operations["onVendorReturnInspectionClosing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "vendor.return.decided": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive vendor.return.decided
         * @description An operator or silence decided a return.
         */
        post: operations["onVendorReturnDecided"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "vendor.return.refund-released": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive vendor.return.refund-released
         * @description The refund of a return was released.
         */
        post: operations["onVendorReturnRefundReleased"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "vendor.webhook.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive vendor.webhook.disabled
         * @description The gateway made a subscription inactive. Its other subscriptions receive this.
         */
        post: operations["onVendorWebhookDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "vendor.webhook.delivery-dead-lettered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive vendor.webhook.delivery-dead-lettered
         * @description An event could not be delivered to another subscription.
         */
        post: operations["onVendorWebhookDeliveryDeadLettered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AddReturnEvidenceRequest: {
            /**
             * Format: uri
             * @description The address of the photo or document: absolute https without a user name, at most 2,048 characters. The service stores it and never fetches it.
             */
            url: string;
            /**
             * @description `Photo`: a picture of the goods, which a proposal requires. `Document`: anything else.
             * @enum {string}
             */
            kind: "Photo" | "Document";
        };
        AdvanceSandboxClockRequest: {
            /** @description By how much the clock advances: an ISO 8601 duration of weeks (`P2W`), or of days, hours, minutes and seconds (`P3DT12H`), above 0 and at most `P30D`. */
            advanceBy: string;
        };
        AnswerTime: {
            /**
             * Format: int64
             * @description The median response time, in milliseconds.
             */
            p50Ms: number;
            /**
             * Format: int64
             * @description The 95th percentile of response times, in milliseconds.
             */
            p95Ms: number;
        };
        BulkPushCounts: {
            /**
             * Format: int64
             * @description The number of items with the state `SUCCESS`.
             */
            succeeded: number;
            /**
             * Format: int64
             * @description The number of the other items.
             */
            failed: number;
        };
        BulkPushResult: {
            /**
             * Format: int64
             * @description The position of the item in `items`, counted from 0.
             */
            index: number;
            /**
             * Format: int64
             * @description The status that the single push would return.
             */
            httpStatus: number;
            /** @description `SUCCESS`, or the error code that the single push would return. */
            state: string;
            /**
             * Format: uuid
             * @description The offer's id; without an offer of yours, what the item has sent, or null.
             */
            offerId: string | null;
            /** @description The offer's `vendorExternalId`; null if it has none, and without an offer of yours, what the item has sent, or null. */
            vendorExternalId: string | null;
            /**
             * Format: int64
             * @description The offer's version after the push; null on an error.
             */
            version: number | null;
            /** @description The error's details; `{}` when there is nothing to add. In `errors`, `field` and `path` include the position of the item, `Items[3].OfferId` at `/items/3/offerId`; an item has at most 10 entries. */
            details: {
                [key: string]: unknown;
            };
        };
        BulkPushResults: {
            /** @description One result for each item, in the order of `items`. */
            results: components["schemas"]["BulkPushResult"][];
            /** @description How many items succeeded and failed. */
            counts: components["schemas"]["BulkPushCounts"];
        };
        BulkPushResultsOrPreviewResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["BulkPushResults"];
            /** @description Further information. */
            details: components["schemas"]["PreviewDetails"];
        };
        /** @description The carrier. `Other` requires `carrierNameOther`. */
        Carrier: string;
        CatalogVariant: {
            /**
             * Format: uuid
             * @description The variant's id.
             */
            id: string;
            /** @description The SKU, unique in the catalogue. */
            sku: string;
            /** @description The brand. */
            brandName: string;
            /** @description The product name. */
            productName: string;
            /** @description The concentration; null when there is none. */
            concentration: string | null;
            /**
             * Format: int64
             * @description The size in whole millilitres, 1 to 100,000; null when there is none.
             */
            sizeMl: number | null;
            /** @description GTIN-8, -12, -13 or -14; null when there is none. A match gives it to an offer without one. */
            barcode: string | null;
        };
        CatalogVariantPage: {
            /** @description The items of this page. */
            items: components["schemas"]["CatalogVariant"][];
            /** @description The page's position in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        CatalogVariantPageResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["CatalogVariantPage"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        ChangesDetails: {
            /**
             * Format: date-time
             * @description The `changedSince` of the next poll: the latest change time on this page, or the `changedSince` that you sent when the page is empty. Present only with `changedSince`.
             */
            nextChangedSince?: string;
        };
        CostPushItem: {
            /**
             * Format: uuid
             * @description The id of one of your offers. Send either this or `vendorExternalId`.
             */
            offerId?: string | null;
            /** @description Your own id of an offer that you submitted through this API. Send either this or `offerId`. */
            vendorExternalId?: string | null;
            /**
             * Format: double
             * @description The wholesale cost in SAR: above 0, at most 9,999,999.99, with at most two decimals (round it to halalas). `costIsVatInclusive` says whether it includes VAT.
             */
            cost: number;
            /** @description Whether the amount includes VAT. The service computes the net amount and the VAT from it. The flag has no default: send it with every amount. */
            costIsVatInclusive: boolean;
        };
        CreateCredentialRequest: {
            /** @description The capabilities as a comma-separated list, in responses in this order. `Offers`: submit and update offers. `Stock`: push stock. `Cost`: push cost and sale price. `Orders`: shipments, returns and webhooks. `Account`: credentials and profile. */
            capabilities: string;
        };
        CreateOfferRequest: {
            /** @description The active variant of the catalogue that you propose as the match. Omit it for a free-form offer, which requires `rawBrandName` and `rawProductName`. */
            variantId?: string | null;
            /** @description Your own stock-keeping unit. */
            vendorSku?: string | null;
            /** @description Your own id for the offer, unique among the offers that you submit here: the idempotency key of this call. */
            vendorExternalId?: string | null;
            /** @description GTIN-8, -12, -13 or -14 (EAN, UPC), digits only, with a correct check digit, not zeros alone. Without one, the offer takes the matched variant's. An update can replace it but not clear it. */
            barcode?: string | null;
            /**
             * Format: double
             * @description The wholesale cost in SAR: above 0, at most 9,999,999.99, with at most two decimals (round it to halalas). `costIsVatInclusive` says whether it includes VAT. Under `PercentageOfSale` it is information and may be 0.
             */
            cost: number;
            /** @description Whether the amount includes VAT. The service computes the net amount and the VAT from it. The flag has no default: send it with every amount. */
            costIsVatInclusive: boolean;
            /**
             * Format: double
             * @description The final sale price in SAR, including the whole commission: above 0, at most 9,999,999.99, with at most two decimals (round it to halalas). Only for agreements with the model `PercentageOfSale`. `salePriceIsVatInclusive` says whether it includes VAT.
             */
            salePrice?: number | null;
            /** @description Whether the amount includes VAT. The service computes the net amount and the VAT from it. The flag has no default: send it with every amount. */
            salePriceIsVatInclusive?: boolean | null;
            /**
             * Format: int32
             * @description The number of pieces, 0 to 1,000,000. Above 0 in stock, 0 out of stock.
             */
            declaredStockQuantity?: number | null;
            /** @description Whether the product is in stock. Without it, a quantity above 0 means in stock. */
            declaredInStock?: boolean | null;
            /** @description The brand in your words. */
            rawBrandName?: string | null;
            /** @description The product name in your words. */
            rawProductName?: string | null;
            /** @description The concentration in your words. */
            rawConcentration?: string | null;
            /** @description A description in your words. */
            rawDescription?: string | null;
            /**
             * Format: int32
             * @description The size in whole millilitres, 1 to 100,000.
             */
            rawSizeMl?: number | null;
            /** @description True saves a draft, which reviewers do not see until you submit it. By default the offer is submitted. */
            saveAsDraft?: boolean | null;
        };
        CreateTokenRequest: {
            /** @description The credential's public name. */
            clientId: string;
            /** @description The credential's secret. */
            clientSecret: string;
        };
        CreateWebhookRequest: {
            /**
             * Format: uri
             * @description The receiver: https to a public host by name, on port 443 or 8443, at most 2,048 characters.
             */
            url: string;
            /** @description The event types that the subscription receives: at least one, without duplicates. `GET /api/v1/event-types` describes them. */
            eventTypes: components["schemas"]["SubscribableEventType"][];
            /** @description Headers that each request to the receiver has, at most five. Not those that the gateway sets. */
            headers?: components["schemas"]["CustomHeader"][] | null;
            /** @description Whether to send a sample of the first event type at once. Default: false. */
            ping?: boolean | null;
        };
        CreatedCredential: {
            /**
             * Format: uuid
             * @description The credential's id.
             */
            id: string;
            /** @description The environment of the credential: that of this gateway. */
            environment: string;
            /** @description The credential's public name. */
            clientId: string;
            /** @description The capabilities as a comma-separated list, in responses in this order. `Offers`: submit and update offers. `Stock`: push stock. `Cost`: push cost and sale price. `Orders`: shipments, returns and webhooks. `Account`: credentials and profile. */
            capabilities: string;
            /**
             * Format: date-time
             * @description When the credential expires, in real time, in UTC: 365 days after its creation.
             */
            expirationDate: string;
            /** @description Whether the credential can get tokens; false also after it has expired. */
            isActive: boolean;
            /**
             * Format: date-time
             * @description When the credential was created, in real time, in UTC.
             */
            createdAt: string;
            /** @description The secret. No later response returns it; keep it in a secret store. */
            clientSecret: string;
        };
        CreatedCredentialResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["CreatedCredential"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        CreatedWebhookSubscription: {
            /** @description The new subscription. */
            subscription: components["schemas"]["WebhookSubscription"];
            /** @description The signing secret: `whsec_` and 32 random bytes in base64. No later response returns it; keep it in a secret store. */
            secret: string;
            /** @description The attempt of the sample; null if it could not be made in time, and with an `Idempotency-Key`. Present only with `ping`. */
            ping?: components["schemas"]["WebhookDeliveryAttempt"] | null;
        };
        CreatedWebhookSubscriptionResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["CreatedWebhookSubscription"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        Credential: {
            /**
             * Format: uuid
             * @description The credential's id.
             */
            id: string;
            /** @description The environment of the credential: that of this gateway. */
            environment: string;
            /** @description The credential's public name. */
            clientId: string;
            /** @description The capabilities as a comma-separated list, in responses in this order. `Offers`: submit and update offers. `Stock`: push stock. `Cost`: push cost and sale price. `Orders`: shipments, returns and webhooks. `Account`: credentials and profile. */
            capabilities: string;
            /**
             * Format: date-time
             * @description When the credential expires, in real time, in UTC: 365 days after its creation.
             */
            expirationDate: string;
            /** @description Whether the credential can get tokens; false also after it has expired. */
            isActive: boolean;
            /**
             * Format: date-time
             * @description When the credential was created, in real time, in UTC.
             */
            createdAt: string;
        };
        CredentialPage: {
            /** @description The items of this page. */
            items: components["schemas"]["Credential"][];
            /** @description The page's position in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        CredentialPageResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["CredentialPage"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        CredentialResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["Credential"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        CustomHeader: {
            /** @description The name, in any letter case. */
            name: string;
            /** @description The value: visible ASCII. No response returns it. */
            value: string;
        };
        Deletion: {
            /** @description Always true. */
            deleted: boolean;
        };
        DeletionResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["Deletion"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        Event: {
            /** @description The same on every attempt, and equal to the header `webhook-id`. Deduplicate by it. */
            eventId: string;
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            occurredAt: string;
            /**
             * @description The version of this body.
             * @constant
             */
            apiVersion: "v1";
            /**
             * Format: uuid
             * @description The vendor's id.
             */
            vendorId: string;
            /** @description Whether the event is a sample sent by test-fire. */
            test: boolean;
            /**
             * Format: int64
             * @description The event's number among all your events, without gaps; null for a sample.
             */
            sequence: number | null;
            eventType: components["schemas"]["WebhookEventType"];
            /** @description What happened, in the form of the type. */
            data: {
                [key: string]: unknown;
            };
        };
        EventPage: {
            /** @description The events, oldest first. */
            items: components["schemas"]["Event"][];
            /**
             * Format: int64
             * @description The `after` of the next page.
             */
            nextAfter: number;
            /**
             * Format: int64
             * @description The number of the oldest event that is kept.
             */
            oldestSequence: number;
            /**
             * Format: int64
             * @description The number of your latest event; 0 without one.
             */
            latestSequence: number;
        };
        EventPageResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["EventPage"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        EventTypeDescription: {
            eventType: components["schemas"]["WebhookEventType"];
            /** @description What the type requires. */
            capability: string;
            /** @description When the event occurs. */
            description: string;
            /** @description The JSON Schema of the body. */
            schema: {
                [key: string]: unknown;
            };
            /** @description An example of the body. */
            example: {
                [key: string]: unknown;
            };
        };
        EventTypes: {
            /** @description Every event type. */
            items: components["schemas"]["EventTypeDescription"][];
        };
        EventTypesResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["EventTypes"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        Evidence: {
            /**
             * Format: uuid
             * @description The id of the piece of evidence.
             */
            id: string;
            /** @description The address of the photo or document: absolute https without a user name, at most 2,048 characters. The service stores it and never fetches it. */
            url: string;
            kind: components["schemas"]["EvidenceKind"];
            /**
             * Format: date-time
             * @description When it was added, in UTC.
             */
            uploadedAt: string;
        };
        /** @description `Photo`: a picture of the goods, which a proposal requires. `Document`: anything else. */
        EvidenceKind: string;
        EvidenceResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["Evidence"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        ExistingFlatOfferOrPreviewResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["FlatOffer"];
            /** @description Further information. */
            details: components["schemas"]["ExistingPreviewDetails"];
        };
        ExistingPreviewDetails: {
            /**
             * @description The call created nothing: the response is the object that existed already, unchanged.
             * @constant
             */
            existing: true;
            /**
             * @description The call stored nothing. Present only with `validateOnly=true`. The ids of a new object are of no object.
             * @constant
             */
            validateOnly?: true;
        };
        FlatOffer: {
            /**
             * Format: uuid
             * @description The offer's id.
             */
            id: string;
            /**
             * Format: uuid
             * @description The vendor's id.
             */
            vendorId: string;
            /**
             * Format: uuid
             * @description The variant of the catalogue that the offer is matched to; null before a match.
             */
            variantId: string | null;
            status: components["schemas"]["OfferStatus"];
            source: components["schemas"]["OfferSource"];
            /** @description The vendor's own stock-keeping unit; null when there is none. */
            vendorSku: string | null;
            /** @description The vendor's own id for the offer, opaque to the service and unique among the offers that the vendor submitted through this API. It is the idempotency key of create-offer; null when there is none. */
            vendorExternalId: string | null;
            /**
             * Format: double
             * @description The live cost, net, in SAR.
             */
            cost: number;
            /**
             * Format: double
             * @description A staged cost, net, in SAR, which a reviewer applies or discards; null when there is none.
             */
            pendingCost: number | null;
            /**
             * @description Always false: amounts in responses are net. You can send them back unchanged.
             * @constant
             */
            costIsVatInclusive: false;
            /** @description Whether the vendor entered the cost with VAT. For display only. */
            costEnteredVatInclusive: boolean;
            /**
             * Format: double
             * @description The VAT on the live cost, in SAR.
             */
            inputVatAmount: number;
            /**
             * Format: double
             * @description The VAT on the staged cost, in SAR; null when there is none.
             */
            pendingInputVatAmount: number | null;
            /**
             * Format: int64
             * @description The number of pieces; null when it is not known. Above 0 in stock, 0 out of stock.
             */
            declaredStockQuantity: number | null;
            /** @description Whether the vendor has the product in stock. */
            declaredInStock: boolean;
            /** @description The brand in the vendor's words; null when the vendor gave none. */
            rawBrandName: string | null;
            /** @description The product name in the vendor's words; null when the vendor gave none. */
            rawProductName: string | null;
            /** @description The concentration in the vendor's words; null when the vendor gave none. */
            rawConcentration: string | null;
            /** @description A description in the vendor's words; null when the vendor gave none. */
            rawDescription: string | null;
            /**
             * Format: int64
             * @description The size in whole millilitres; null when the vendor gave none.
             */
            rawSizeMl: number | null;
            /** @description Whether the offer's supply option is paused; false before there is one. */
            syncPaused: boolean;
            /** @description Always false: no offer goes live without a reviewer. */
            autoPublishEligible: boolean;
            /**
             * Format: uuid
             * @description Always null: the reviewer's identity is not shown to vendors.
             */
            reviewedByUserId: string | null;
            /**
             * Format: date-time
             * @description When a reviewer last decided, in UTC; null before the first decision.
             */
            reviewedAt: string | null;
            /** @description The reviewer's reason; null when the reviewer gave none, and after an approval. */
            reviewReason: string | null;
            /**
             * Format: uuid
             * @description Always null: batch imports do not exist yet.
             */
            importBatchId: string | null;
            /**
             * Format: uuid
             * @description The supply option that the offer sells as; null before its first approval.
             */
            supplyOptionId: string | null;
            /**
             * Format: int64
             * @description A counter that increases with every change. For information: no request takes it.
             */
            version: number;
            /**
             * Format: date-time
             * @description When the offer was created, in UTC.
             */
            createdDate: string | null;
            /**
             * Format: date-time
             * @description When the offer last changed, in UTC.
             */
            lastModifiedDate: string | null;
        };
        FlatOfferOrPreviewResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["FlatOffer"];
            /** @description Further information. */
            details: components["schemas"]["PreviewDetails"];
        };
        FulfilmentGroup: {
            /**
             * Format: uuid
             * @description The shipment's id.
             */
            groupId: string;
            /** @description The service's own id of the order: `ord_` and a uuid. It is never a partner's reference. */
            orderGlobalId: string;
            status: components["schemas"]["FulfilmentGroupStatus"];
            /** @description The vendor's own reference for the shipment; null when the vendor gave none. */
            vendorOrderId: string | null;
            /** @description The carrier's tracking reference; null when there is none yet. */
            trackingRef: string | null;
            carrier: components["schemas"]["Carrier"];
            /** @description The name of the carrier `Other`; null with any other carrier. */
            carrierNameOther: string | null;
            /**
             * Format: date-time
             * @description When the shipment was packed, in UTC; null before that.
             */
            packedAt: string | null;
            /**
             * Format: date-time
             * @description When the shipment was shipped, in UTC; null before that.
             */
            shippedAt: string | null;
            /**
             * Format: date-time
             * @description When the shipment was delivered, in UTC; null before that.
             */
            deliveredAt: string | null;
            /** @description The name of the recipient. */
            shipRecipient: string;
            /** @description The first line of the address. */
            shipLine1: string;
            /** @description The second line of the address; null when there is none. */
            shipLine2: string | null;
            /** @description The city. */
            shipCity: string;
            /** @description The region; null when there is none. */
            shipRegion: string | null;
            /** @description The postal code; null when there is none. */
            shipPostalCode: string | null;
            /** @description The country. */
            shipCountry: string;
            /** @description The recipient's phone number. */
            shipPhone: string;
            /** @description The lines of the shipment. */
            lines: components["schemas"]["OrderLine"][];
        };
        FulfilmentGroupPage: {
            /** @description The items of this page. */
            items: components["schemas"]["FulfilmentGroup"][];
            /** @description The page's position in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        FulfilmentGroupPageResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["FulfilmentGroupPage"];
            /** @description Further information. */
            details: components["schemas"]["ChangesDetails"];
        };
        FulfilmentGroupResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["FulfilmentGroup"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        /**
         * @description The shipment's status.
         *
         *     - `Pending`: assigned to a vendor; to be packed.
         *     - `Packed`: packed; to be shipped.
         *     - `Shipped`: handed to the carrier.
         *     - `Delivered`: delivered to the customer.
         *     - `Cancelled`: cancelled before it was shipped.
         *     - `Returned`: returned after delivery.
         *     - `PendingSourcing`: waits for a vendor to be assigned.
         */
        FulfilmentGroupStatus: string;
        HttpHeader: {
            /** @description The name, in lower case. */
            name: string;
            /** @description The value, without secrets. */
            value: string;
        };
        Job: {
            /**
             * Format: uuid
             * @description The job's id.
             */
            id: string;
            kind: components["schemas"]["JobKind"];
            state: components["schemas"]["JobState"];
            /** @description Whether the items only show what they would return. */
            validateOnly: boolean;
            /**
             * Format: uuid
             * @description The job whose changes this one restores; else null.
             */
            revertsJobId: string | null;
            /** @description More about the end of the job. */
            details: components["schemas"]["JobDetails"];
            /** @description How many items are in which state. */
            counts: components["schemas"]["JobCounts"];
            /**
             * Format: date-time
             * @description When the job was accepted, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When its first batch ran; null before.
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description When it finished or was cancelled; null before.
             */
            endedAt: string | null;
            /**
             * Format: date-time
             * @description The estimated time of its end; null unless it is running.
             */
            estimatedEndAt: string | null;
        };
        JobCounts: {
            /**
             * Format: int64
             * @description The items of the job.
             */
            accepted: number;
            /**
             * Format: int64
             * @description Items with the state `SUCCESS`.
             */
            done: number;
            /**
             * Format: int64
             * @description Items that ended with an error.
             */
            failed: number;
            /**
             * Format: int64
             * @description Items that have not run.
             */
            remaining: number;
        };
        JobDetails: {
            /** @description Why the gateway cancelled the job: the credential that started it, or its vendor, is no longer active. Otherwise null. */
            reason: string | null;
        };
        JobItem: components["schemas"]["CreateOfferRequest"] | components["schemas"]["StockPushItem"] | components["schemas"]["CostPushItem"] | components["schemas"]["SalePricePushItem"] | components["schemas"]["OfferEditItem"];
        JobItemResult: {
            /**
             * Format: int64
             * @description The position of the item in the job, counted from 0.
             */
            index: number;
            /**
             * Format: int64
             * @description The status that the single call would return.
             */
            httpStatus: number;
            /** @description `SUCCESS`, or the error code of the single call. */
            state: string;
            /**
             * Format: uuid
             * @description The offer's id; null if the item has none.
             */
            offerId: string | null;
            /** @description The offer's `vendorExternalId`; null if the item has none. */
            vendorExternalId: string | null;
            /**
             * Format: int64
             * @description The offer's version afterwards; null on an error.
             */
            version: number | null;
            /** @description The details of the single call, with at most 10 `errors`. `existing`: a create found the offer. `nothingToRestore`: the item of the reverted job changed nothing. */
            details: {
                [key: string]: unknown;
            };
        };
        JobItemResultPage: {
            /** @description The items of this page. */
            items: components["schemas"]["JobItemResult"][];
            /** @description The page's position in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        JobItemResultPageResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["JobItemResultPage"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        /** @description What each item is. */
        JobKind: string;
        JobPage: {
            /** @description The items of this page. */
            items: components["schemas"]["Job"][];
            /** @description The page's position in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        JobPageResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["JobPage"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        JobResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["Job"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        /**
         * @description The state of a job.
         *
         *     - `Queued`: It waits, because another job of yours comes first.
         *     - `Running`: Its items run in batches.
         *     - `Finished`: Each item has its result.
         *     - `Cancelled`: A call or the gateway cancelled it. Items that had run stay as they are.
         */
        JobState: string;
        NoDetails: Record<string, never>;
        Offer: {
            /**
             * Format: uuid
             * @description The offer's id.
             */
            id: string;
            status: components["schemas"]["OfferStatus"];
            /** @description The pricing model of the vendor's agreement. It decides which price field applies. */
            pricingModel: components["schemas"]["PricingModel"];
            /** @description The vendor's own id for the offer, opaque to the service and unique among the offers that the vendor submitted through this API. It is the idempotency key of create-offer; null when there is none. */
            vendorExternalId: string | null;
            /** @description The product: the match to the catalogue and what the vendor declares. */
            product: components["schemas"]["OfferProduct"];
            /** @description The vendor's stored cost, under either pricing model. It counts under `CostPlusMargin`. */
            cost: components["schemas"]["OfferCost"];
            /** @description The vendor's stored sale price, under either pricing model. It counts under `PercentageOfSale`. */
            price: components["schemas"]["OfferPrice"];
            /** @description The stock that the vendor declares. It applies without a review. */
            stock: components["schemas"]["OfferStock"];
            /** @description The last review decision; every part is null before the first one. */
            review: components["schemas"]["OfferReview"];
        };
        OfferCost: {
            /**
             * Format: double
             * @description The live cost, net, in SAR. Under `PercentageOfSale` it is information and may be 0.
             */
            amount: number;
            /**
             * @description Always false: amounts in responses are net. You can send them back unchanged.
             * @constant
             */
            isVatInclusive: false;
            /** @description Whether the vendor entered the amount with VAT. For display only. */
            enteredVatInclusive: boolean;
            /**
             * Format: double
             * @description The VAT on the live cost, in SAR: the gross amount less the net one, or 15 % of the net amount, depending on how the price was entered.
             */
            inputVat: number;
            /** @description A staged cost, which a reviewer applies or discards; null when there is none. */
            pending: components["schemas"]["StagedCost"] | null;
        };
        OfferEditItem: Record<string, never>;
        OfferInEitherForm: components["schemas"]["Offer"] | components["schemas"]["FlatOffer"];
        OfferInEitherFormOrPreviewResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["OfferInEitherForm"];
            /** @description Further information. */
            details: components["schemas"]["PreviewDetails"];
        };
        OfferOrPreviewResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["Offer"];
            /** @description Further information. */
            details: components["schemas"]["PreviewDetails"];
        };
        OfferPrice: {
            /**
             * Format: double
             * @description The live sale price, net, in SAR; null until the vendor has declared one. Under `CostPlusMargin` an earlier one is without effect.
             */
            amount: number | null;
            /**
             * @description Always false: amounts in responses are net. You can send them back unchanged.
             * @constant
             */
            isVatInclusive: false;
            /** @description Whether the vendor entered the amount with VAT. For display only. Null without a sale price. */
            enteredVatInclusive: boolean | null;
            /**
             * Format: double
             * @description The VAT on the live sale price, in SAR: the gross amount less the net one, or 15 % of the net amount, depending on how the price was entered.
             */
            vat: number | null;
            /** @description A staged sale price, which a reviewer applies or discards; null when there is none. */
            pending: components["schemas"]["StagedPrice"] | null;
        };
        OfferProduct: {
            /**
             * Format: uuid
             * @description The variant of the catalogue that the offer is matched to; null before a match.
             */
            variantId: string | null;
            /** @description The vendor's own stock-keeping unit; null when there is none. */
            vendorSku: string | null;
            /** @description GTIN-8, -12, -13 or -14 (EAN, UPC), in ASCII digits; null while none is known. Most edits then require one. */
            barcode: string | null;
            /** @description The brand in the vendor's words; null when the vendor gave none. */
            rawBrandName: string | null;
            /** @description The product name in the vendor's words; null when the vendor gave none. */
            rawProductName: string | null;
            /** @description The concentration in the vendor's words; null when the vendor gave none. */
            rawConcentration: string | null;
            /** @description A description in the vendor's words; null when the vendor gave none. */
            rawDescription: string | null;
            /**
             * Format: int64
             * @description The size in whole millilitres; null when the vendor gave none.
             */
            rawSizeMl: number | null;
        };
        OfferResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["Offer"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        OfferReview: {
            /**
             * Format: date-time
             * @description When a reviewer last decided, in UTC; null before the first decision.
             */
            reviewedAt: string | null;
            /** @description The reviewer's reason; null when the reviewer gave none, and after an approval. */
            reason: string | null;
        };
        /**
         * @description How the offer was created.
         *
         *     - `Api`: submitted by the vendor through this API.
         *     - `Manual`: entered by an operator for the vendor.
         *     - `Import`: imported in a batch; batch imports do not exist yet.
         */
        OfferSource: string;
        /**
         * @description The offer's status.
         *
         *     - `Draft`: saved but not submitted; reviewers do not see it.
         *     - `PendingMatch`: waits for a reviewer to match it to a variant of the catalogue.
         *     - `PendingReview`: matched; waits for a reviewer to approve it.
         *     - `Approved`: live: it sells unless it is out of stock.
         *     - `Rejected`: rejected by a reviewer, with a reason; any edit, or submit, sends it back to review.
         *     - `Withdrawn`: withdrawn by the vendor; submit it to send it back to review.
         *     - `Suspended`: suspended by the service, with a reason; only the service can reinstate it.
         *     - `PendingRepricing`: the pricing model changed; the offer sells again after a price of the new model is approved.
         */
        OfferStatus: string;
        OfferStock: {
            /**
             * Format: int64
             * @description The number of pieces; null when it is not known.
             */
            declaredQuantity: number | null;
            /** @description Whether the vendor has the product in stock. */
            declaredInStock: boolean;
        };
        OfferWithHistory: {
            /**
             * Format: uuid
             * @description The offer's id.
             */
            id: string;
            status: components["schemas"]["OfferStatus"];
            /** @description The pricing model of the vendor's agreement. It decides which price field applies. */
            pricingModel: components["schemas"]["PricingModel"];
            /** @description The vendor's own id for the offer, opaque to the service and unique among the offers that the vendor submitted through this API. It is the idempotency key of create-offer; null when there is none. */
            vendorExternalId: string | null;
            /** @description The product: the match to the catalogue and what the vendor declares. */
            product: components["schemas"]["OfferProduct"];
            /** @description The vendor's stored cost, under either pricing model. It counts under `CostPlusMargin`. */
            cost: components["schemas"]["OfferCost"];
            /** @description The vendor's stored sale price, under either pricing model. It counts under `PercentageOfSale`. */
            price: components["schemas"]["OfferPrice"];
            /** @description The stock that the vendor declares. It applies without a review. */
            stock: components["schemas"]["OfferStock"];
            /** @description The last review decision; every part is null before the first one. */
            review: components["schemas"]["OfferReview"];
            source: components["schemas"]["OfferSource"];
            /**
             * Format: date-time
             * @description When the offer last changed, in UTC, with microseconds: its position in lists with `changedSince`. A switch of the agreement counts.
             */
            changedAt: string;
            /** @description Status changes, oldest first. Present only with `include=history`. The newest 100. */
            history?: components["schemas"]["StatusChange"][];
            /**
             * @description Present with `history` when the offer has earlier changes, which `GET /api/v1/scent/offers/{id}/history` lists.
             * @constant
             */
            historyHasEarlier?: true;
        };
        OfferWithHistoryPage: {
            /** @description The items of this page. */
            items: components["schemas"]["OfferWithHistory"][];
            /** @description The page's position in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        OfferWithHistoryPageResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["OfferWithHistoryPage"];
            /** @description Further information. */
            details: components["schemas"]["ChangesDetails"];
        };
        OfferWithHistoryResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["OfferWithHistory"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        OrderLine: {
            /**
             * Format: uuid
             * @description The id of the order's line.
             */
            lineId: string;
            /**
             * Format: uuid
             * @description The variant of the catalogue that was ordered.
             */
            variantId: string;
            /** @description The variant's SKU in the catalogue, also after the variant was deactivated. */
            sku: string;
            /**
             * Format: int64
             * @description The number of pieces.
             */
            quantity: number;
        };
        Pagination: {
            /**
             * Format: int64
             * @description The page number, counted from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The maximum number of items on a page.
             */
            pageSize: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            totalCount: number;
            /**
             * Format: int64
             * @description The number of pages; 0 for an empty list.
             */
            totalPages: number;
        };
        PreviewDetails: {
            /**
             * @description The call stored nothing. Present only with `validateOnly=true`. The ids of a new object are of no object.
             * @constant
             */
            validateOnly?: true;
        };
        PricingModel: {
            name: components["schemas"]["PricingModelName"];
            /**
             * Format: int64
             * @description The model number: 1 for `CostPlusMargin`, 2 for `PercentageOfSale`.
             */
            model: number;
        };
        /** @description `CostPlusMargin`: the vendor declares a cost, and the service adds a markup. `PercentageOfSale`: the vendor declares the final sale price, and the service deducts a percentage of it. */
        PricingModelName: string;
        ProposeInspectionOutcomeRequest: {
            /**
             * @description What the inspection found.
             *
             *     - `AcceptedDefect`: a genuine defect.
             *     - `AcceptedSound`: sound goods: the customer changed their mind.
             *     - `Rejected`: a reason to refuse, such as goods that were opened or used and have no defect.
             * @enum {string}
             */
            outcome: "AcceptedDefect" | "AcceptedSound" | "Rejected";
        };
        PushCostRequest: {
            /**
             * Format: double
             * @description The wholesale cost in SAR: above 0, at most 9,999,999.99, with at most two decimals (round it to halalas). `costIsVatInclusive` says whether it includes VAT.
             */
            cost: number;
            /** @description Whether the amount includes VAT. The service computes the net amount and the VAT from it. The flag has no default: send it with every amount. */
            costIsVatInclusive: boolean;
        };
        PushSalePriceRequest: {
            /**
             * Format: double
             * @description The final sale price in SAR, including the whole commission: above 0, at most 9,999,999.99, with at most two decimals (round it to halalas). Only for agreements with the model `PercentageOfSale`. `salePriceIsVatInclusive` says whether it includes VAT.
             */
            salePrice: number;
            /** @description Whether the amount includes VAT. The service computes the net amount and the VAT from it. The flag has no default: send it with every amount. */
            salePriceIsVatInclusive: boolean;
        };
        PushStockRequest: {
            /** @description Whether the product is in stock. */
            declaredInStock: boolean;
            /**
             * Format: int32
             * @description The number of pieces, 0 to 1,000,000. Out of stock: 0, or omit it. In stock: above 0, or omit it to keep the stored count.
             */
            declaredStockQuantity?: number | null;
        };
        PushStocksRequest: {
            /** @description The pushes, 1 to 1,000. Each is checked separately: a malformed one is an error in its own result and does not stop the others. */
            items: components["schemas"]["StockPushItem"][];
        };
        RecoverWebhookRequest: {
            /**
             * Format: date-time
             * @description Recovers what was attempted, or happened, at this instant or later. RFC 3339 with a time and an offset or `Z`.
             */
            since: string;
            /**
             * @description `DeadLettered`: only dead letters. `Waiting`: only what waits for a later attempt. `Missed`: only events that were never attempted. Default: all of these, and what a deactivation cancelled.
             * @enum {string|null}
             */
            state?: "DeadLettered" | "Waiting" | "Missed" | null;
        };
        ReturnInspection: {
            /**
             * Format: date-time
             * @description When the goods arrived, in UTC; null before that.
             */
            receivedAt: string | null;
            /**
             * Format: date-time
             * @description When the inspection started, in UTC; null before that.
             */
            inspectionStartedAt: string | null;
            /**
             * Format: date-time
             * @description The deadline for a proposal, in UTC: 72 hours after the start of the inspection; null before that. Without a proposal, the customer's claim then decides the inspection.
             */
            inspectionWindowDeadline: string | null;
            /**
             * @description Who receives and inspects the goods: `Supplier`, the vendor, or `SortingPoint`, the service.
             * @constant
             */
            receivingParty: "Supplier";
            /**
             * @description The decision, which only the service makes; null before it. What the inspection found.
             *
             *     - `AcceptedDefect`: a genuine defect.
             *     - `AcceptedSound`: sound goods: the customer changed their mind.
             *     - `Rejected`: a reason to refuse, such as goods that were opened or used and have no defect.
             */
            outcome: string | null;
            /**
             * @description The vendor's proposal; null when there is none. What the inspection found.
             *
             *     - `AcceptedDefect`: a genuine defect.
             *     - `AcceptedSound`: sound goods: the customer changed their mind.
             *     - `Rejected`: a reason to refuse, such as goods that were opened or used and have no defect.
             */
            supplierProposedOutcome: string | null;
            /** @description Whether staff must review the return: after a proposed `Rejected`, and after a deadline with a proposal. Once set, it stays set until the decision. */
            requiresStaffReview: boolean;
            /** @description Photos and documents, oldest first; at most 100. */
            evidence: components["schemas"]["Evidence"][];
        };
        ReturnLine: {
            /**
             * Format: uuid
             * @description The id of the order's line that is returned.
             */
            scentOrderLineId: string;
            /**
             * Format: uuid
             * @description The variant of the catalogue that was ordered.
             */
            variantId: string;
            /** @description The variant's SKU in the catalogue, also after the variant was deactivated. */
            sku: string;
            /**
             * Format: int64
             * @description The number of pieces.
             */
            quantity: number;
            reasonCode: components["schemas"]["ReturnReason"];
        };
        /**
         * @description The customer's reason. All but the last two claim a defect.
         *
         *     - `Defective`: the product is defective or spoilt.
         *     - `DamagedInTransit`: the product was damaged in transit.
         *     - `WrongItem`: another product was sent.
         *     - `MissingPart`: a part is missing.
         *     - `NotAsDescribed`: the product differs from its description.
         *     - `SuspectedCounterfeit`: the product seems to be counterfeit.
         *     - `ChangedMind`: the customer no longer wants the product.
         *     - `Other`: another reason.
         */
        ReturnReason: string;
        ReturnRequest: {
            /**
             * Format: uuid
             * @description The return's id.
             */
            id: string;
            /** @description The service's own id of the order: `ord_` and a uuid. It is never a partner's reference. */
            orderGlobalId: string;
            /** @description The number that people use for it. */
            returnRequestNumber: string | null;
            status: components["schemas"]["ReturnStatus"];
            /**
             * Format: date-time
             * @description When the customer requested the return, in UTC.
             */
            requestedAt: string;
            /**
             * Format: date-time
             * @description When the goods arrived, in UTC; null before that.
             */
            receivedAt: string | null;
            /**
             * Format: date-time
             * @description When the inspection started, in UTC; null before that.
             */
            inspectionStartedAt: string | null;
            /**
             * Format: date-time
             * @description When the inspection was decided, in UTC; null before that.
             */
            inspectionDecidedAt: string | null;
            /** @description The state of the inspection. */
            inspection: components["schemas"]["ReturnInspection"];
            /** @description The lines that are returned. */
            lines: components["schemas"]["ReturnLine"][];
        };
        ReturnRequestResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["ReturnRequest"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        ReturnRequestWithHistory: {
            /**
             * Format: uuid
             * @description The return's id.
             */
            id: string;
            /** @description The service's own id of the order: `ord_` and a uuid. It is never a partner's reference. */
            orderGlobalId: string;
            /** @description The number that people use for it. */
            returnRequestNumber: string | null;
            status: components["schemas"]["ReturnStatus"];
            /**
             * Format: date-time
             * @description When the customer requested the return, in UTC.
             */
            requestedAt: string;
            /**
             * Format: date-time
             * @description When the goods arrived, in UTC; null before that.
             */
            receivedAt: string | null;
            /**
             * Format: date-time
             * @description When the inspection started, in UTC; null before that.
             */
            inspectionStartedAt: string | null;
            /**
             * Format: date-time
             * @description When the inspection was decided, in UTC; null before that.
             */
            inspectionDecidedAt: string | null;
            /** @description The state of the inspection. */
            inspection: components["schemas"]["ReturnInspection"];
            /** @description The lines that are returned. */
            lines: components["schemas"]["ReturnLine"][];
            /** @description Status changes, oldest first. Present only with `include=history`. */
            history?: components["schemas"]["ReturnStatusChange"][];
        };
        ReturnRequestWithHistoryPage: {
            /** @description The items of this page. */
            items: components["schemas"]["ReturnRequestWithHistory"][];
            /** @description The page's position in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        ReturnRequestWithHistoryPageResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["ReturnRequestWithHistoryPage"];
            /** @description Further information. */
            details: components["schemas"]["ChangesDetails"];
        };
        ReturnRequestWithHistoryResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["ReturnRequestWithHistory"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        /**
         * @description The return's status.
         *
         *     - `Pending`: requested by the customer.
         *     - `Approved`: accepted by staff; the goods may be sent.
         *     - `Rejected`: declined by staff; final.
         *     - `InTransit`: the goods are on their way.
         *     - `Received`: the goods have arrived; evidence can be added.
         *     - `UnderInspection`: the vendor can propose an outcome.
         *     - `InspectionAccepted`: decided: the goods are defective, or sound and taken back.
         *     - `InspectionRejected`: decided: the return is refused.
         *     - `RefundReleased`: the refund was released; final.
         *     - `Closed`: closed without a refund; final.
         *     - `Withdrawn`: withdrawn by the customer; final.
         */
        ReturnStatus: string;
        ReturnStatusChange: {
            /**
             * Format: date-time
             * @description When the status changed, in UTC.
             */
            at: string;
            /** @description The status before; null for the first status. */
            from: string | null;
            /** @description The status after. */
            to: string;
        };
        /**
         * @description The reviewer's decision.
         *
         *     - `Approved`: the offer is live.
         *     - `Rejected`: the offer was rejected, with a reason.
         *     - `PriceApplied`: the staged price is the live price now.
         *     - `PriceDiscarded`: the staged price was discarded; the live price stays.
         *     - `ReturnedToReview`: an earlier decision is corrected: the offer, or its staged price, waits for a reviewer again. `status` has the status after it.
         */
        ReviewDecision: string;
        RotatedWebhookSecret: {
            /**
             * Format: uuid
             * @description The subscription's id.
             */
            subscriptionId: string;
            /** @description The signing secret: `whsec_` and 32 random bytes in base64. No later response returns it; keep it in a secret store. */
            secret: string;
        };
        RotatedWebhookSecretResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["RotatedWebhookSecret"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        SalePricePushItem: {
            /**
             * Format: uuid
             * @description The id of one of your offers. Send either this or `vendorExternalId`.
             */
            offerId?: string | null;
            /** @description Your own id of an offer that you submitted through this API. Send either this or `offerId`. */
            vendorExternalId?: string | null;
            /**
             * Format: double
             * @description The final sale price in SAR, including the whole commission: above 0, at most 9,999,999.99, with at most two decimals (round it to halalas). Only for agreements with the model `PercentageOfSale`. `salePriceIsVatInclusive` says whether it includes VAT.
             */
            salePrice: number;
            /** @description Whether the amount includes VAT. The service computes the net amount and the VAT from it. The flag has no default: send it with every amount. */
            salePriceIsVatInclusive: boolean;
        };
        SandboxApproveOfferRequest: {
            /**
             * Format: uuid
             * @description The active variant to match the offer to. Without it, the match of the offer stays.
             */
            variantId?: string | null;
        };
        SandboxChangeAgreementRequest: {
            /**
             * @description `CostPlusMargin`: the vendor declares a cost, and the service adds a markup. `PercentageOfSale`: the vendor declares the final sale price, and the service deducts a percentage of it.
             * @enum {string}
             */
            pricingModel: "CostPlusMargin" | "PercentageOfSale";
            /**
             * Format: double
             * @description The markup on the cost, required with `CostPlusMargin`. A percentage with at most two decimals; null with the other pricing model. At most 1,000.
             */
            markupPercent?: number | null;
            /**
             * Format: double
             * @description The commission on the sale price, required with `PercentageOfSale`. A percentage with at most two decimals; null with the other pricing model. At most 100.
             */
            commissionPercent?: number | null;
        };
        SandboxClock: {
            state: components["schemas"]["SandboxClockState"];
            /**
             * Format: date-time
             * @description The time by your clock, in UTC.
             */
            now: string;
            /**
             * Format: date-time
             * @description Where the latest advance goes or went by your clock. `now` before the first advance.
             */
            target: string;
            /** @description Why the latest advance ended before its `target`; else null. `FailingReceivers`: retries of a delivery that failed again were all that was due at 200 stops. Deactivate the subscription or mend its receiver, then advance again. */
            stopReason: string | null;
            /**
             * Format: int64
             * @description How many times the clock has stopped in the latest advance because something was due. Retries of deliveries that are due within a minute are one stop.
             */
            stops: number;
            /**
             * Format: int64
             * @description How many steps of returns and retries of deliveries come due until `target`, as known now; 0 when the clock is `Ready`.
             */
            left: number;
            /**
             * Format: date-time
             * @description When the next step of a return or retry of a delivery is due by your clock, in UTC; null without any.
             */
            nextDue: string | null;
        };
        SandboxClockResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["SandboxClock"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        /** @description `Advancing` while everything that comes due until `target` happens, in order; else `Ready`. */
        SandboxClockState: string;
        SandboxCreateOrderRequest: {
            /** @description What the customer orders, 1 to 80 lines. Without them: one piece of each of up to three of your newest approved offers. */
            lines?: {
                /**
                 * Format: uuid
                 * @description One of your offers in `Approved`.
                 */
                offerId: string;
                /**
                 * Format: int32
                 * @description The number of pieces.
                 */
                quantity: number;
            }[] | null;
        };
        SandboxCreateReturnRequest: {
            /**
             * Format: uuid
             * @description The shipment whose goods come back.
             */
            groupId: string;
            /** @description What comes back, 1 to 80 lines. Without them: everything. */
            lines?: {
                /**
                 * Format: uuid
                 * @description The id of the order's line.
                 */
                lineId: string;
                /**
                 * Format: int32
                 * @description The number of pieces.
                 */
                quantity: number;
            }[] | null;
            /**
             * @description The customer's reason. All but the last two claim a defect.
             *
             *     - `Defective`: the product is defective or spoilt.
             *     - `DamagedInTransit`: the product was damaged in transit.
             *     - `WrongItem`: another product was sent.
             *     - `MissingPart`: a part is missing.
             *     - `NotAsDescribed`: the product differs from its description.
             *     - `SuspectedCounterfeit`: the product seems to be counterfeit.
             *     - `ChangedMind`: the customer no longer wants the product.
             *     - `Other`: another reason. Without it: `Defective`.
             * @enum {string|null}
             */
            reasonCode?: "Defective" | "DamagedInTransit" | "WrongItem" | "MissingPart" | "NotAsDescribed" | "SuspectedCounterfeit" | "ChangedMind" | "Other" | null;
            /**
             * @description The status of the new return. Without it: `InTransit`, in which you can confirm receipt.
             * @enum {string|null}
             */
            upTo?: "Pending" | "Approved" | "InTransit" | null;
        };
        SandboxDecideInspectionRequest: {
            /**
             * @description What the inspection found.
             *
             *     - `AcceptedDefect`: a genuine defect.
             *     - `AcceptedSound`: sound goods: the customer changed their mind.
             *     - `Rejected`: a reason to refuse, such as goods that were opened or used and have no defect.
             * @enum {string}
             */
            outcome: "AcceptedDefect" | "AcceptedSound" | "Rejected";
        };
        SandboxRegisterVendorRequest: {
            /** @description The vendor's name. */
            name: string;
            /**
             * @description `CostPlusMargin`: the vendor declares a cost, and the service adds a markup. `PercentageOfSale`: the vendor declares the final sale price, and the service deducts a percentage of it.
             * @enum {string}
             */
            pricingModel: "CostPlusMargin" | "PercentageOfSale";
        };
        SandboxRegistration: {
            /** @description The new vendor. */
            vendor: components["schemas"]["SandboxVendor"];
            /** @description The first credential, with every capability. No later response has its secret. */
            credential: components["schemas"]["CreatedCredential"];
        };
        SandboxRegistrationResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["SandboxRegistration"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        SandboxRejectOfferRequest: {
            /** @description The reason. The vendor reads it. */
            reason: string;
        };
        SandboxReset: {
            /**
             * @description The rows are deleted; their runs end now.
             * @constant
             */
            state: "Resetting";
        };
        SandboxResetResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["SandboxReset"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        SandboxSuspendOfferRequest: {
            /** @description The reason. The vendor reads it. */
            reason: string;
        };
        SandboxVendor: {
            /**
             * Format: uuid
             * @description The vendor's id.
             */
            id: string;
            /** @description The vendor's name. */
            name: string;
            pricingModel: components["schemas"]["PricingModelName"];
        };
        SetCredentialActiveRequest: {
            /** @description True activates, false deactivates. */
            isActive: boolean;
        };
        SetWebhookActiveRequest: {
            /** @description True activates, false deactivates. */
            isActive: boolean;
        };
        StagedCost: {
            /**
             * Format: double
             * @description The staged amount, net, in SAR.
             */
            amount: number;
            /**
             * Format: double
             * @description The VAT on the staged cost, in SAR.
             */
            inputVat: number;
        };
        StagedPrice: {
            /**
             * Format: double
             * @description The staged amount, net, in SAR.
             */
            amount: number;
            /**
             * Format: double
             * @description The VAT on the staged sale price, in SAR.
             */
            vat: number;
        };
        StartJobRequest: {
            /**
             * @description What each item is: the body of createOffer or of updateOffer, or an item of a bulk push.
             * @enum {string}
             */
            kind: "createOffers" | "updateOffers" | "pushCosts" | "pushSalePrices" | "pushStocks";
            /** @description The items, 1 to 10,000. Each is checked separately: a malformed one is an error in its own result. An edit names its offer by `offerId`, or without it by its `vendorExternalId`. */
            items: components["schemas"]["JobItem"][];
        };
        StatusChange: {
            /**
             * Format: date-time
             * @description When the status changed, in UTC.
             */
            at: string;
            /** @description The status before; null for the first status. */
            from: string | null;
            /** @description The status after. */
            to: string;
            /** @description The reason that was given; null when there is none. */
            reason: string | null;
        };
        StatusChangePage: {
            /** @description The items of this page. */
            items: components["schemas"]["StatusChange"][];
            /** @description The page's position in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        StatusChangePageResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["StatusChangePage"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        StockPushItem: {
            /**
             * Format: uuid
             * @description The id of one of your offers. Send either this or `vendorExternalId`.
             */
            offerId?: string | null;
            /** @description Your own id of an offer that you submitted through this API. Send either this or `offerId`. */
            vendorExternalId?: string | null;
            /** @description Whether the product is in stock. */
            declaredInStock: boolean;
            /**
             * Format: int32
             * @description The number of pieces, 0 to 1,000,000. Out of stock: 0, or omit it. In stock: above 0, or omit it to keep the stored count.
             */
            declaredStockQuantity?: number | null;
        };
        /** @enum {string} */
        SubscribableEventType: "vendor.order.assigned" | "vendor.offer.review-decision" | "vendor.order.changed" | "vendor.offer.agreement-switched" | "vendor.return.requested" | "vendor.return.received" | "vendor.return.inspection-started" | "vendor.return.inspection-closing" | "vendor.return.decided" | "vendor.return.refund-released" | "vendor.webhook.disabled" | "vendor.webhook.delivery-dead-lettered";
        TestFireWebhookRequest: {
            /**
             * @description A subscribed event type.
             * @enum {string}
             */
            eventType: "vendor.order.assigned" | "vendor.offer.review-decision" | "vendor.order.changed" | "vendor.offer.agreement-switched" | "vendor.return.requested" | "vendor.return.received" | "vendor.return.inspection-started" | "vendor.return.inspection-closing" | "vendor.return.decided" | "vendor.return.refund-released" | "vendor.webhook.disabled" | "vendor.webhook.delivery-dead-lettered";
        };
        Token: {
            /** @description A signed JWT (EdDSA). Send it as `Authorization: Bearer …` and treat it as opaque. */
            accessToken: string;
            /**
             * @description Always `Bearer`.
             * @constant
             */
            tokenType: "Bearer";
            /**
             * Format: int64
             * @description Lifetime in seconds of real time: 300 for vendors, 900 for operators.
             */
            expiresIn: number;
        };
        TokenResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["Token"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        Upcoming: {
            kind: components["schemas"]["UpcomingKind"];
            /**
             * Format: date-time
             * @description When it happens, in UTC. A credential expires in real time.
             */
            at: string;
            /** @description What it happens to. */
            subject: components["schemas"]["UpcomingSubject"];
            /** @description What the end of an inspection window decides, `NeedsStaff` if staff must decide; else null. */
            outcome: string | null;
            /**
             * Format: int64
             * @description The number of the next attempt of a retry.
             */
            attemptNumber: number | null;
            /** @description What happens, as a sentence. */
            summary: string;
            /** @description What prevents it, as a sentence. */
            stoppedBy: string;
            /** @description The path that reads its subject. */
            link: string;
        };
        /**
         * @description What happens.
         *
         *     - `ReturnInspectionStart`: the inspection of a return starts. Requires `Orders`.
         *     - `ReturnInspectionEnd`: an inspection window ends; without a proposal it decides. Requires `Orders`.
         *     - `WebhookRetry`: a failed delivery is attempted again. Requires `Orders`.
         *     - `WebhookDeactivation`: a subscription that only fails may become inactive: not before `at`. Requires `Orders`.
         *     - `CredentialExpiry`: a credential expires. Requires `Account`.
         */
        UpcomingKind: string;
        UpcomingPage: {
            /** @description The items of this page. */
            items: components["schemas"]["Upcoming"][];
            /** @description The page's position in the list. */
            pagination: components["schemas"]["Pagination"];
            /** @description The kinds that the list has: those that the call asks for and the token may read. */
            kinds: components["schemas"]["UpcomingKind"][];
            /**
             * Format: date-time
             * @description From this instant on, in UTC, the list is incomplete; null: it is complete.
             */
            completeUntil: string | null;
        };
        UpcomingPageResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["UpcomingPage"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        UpcomingSubject: {
            /**
             * Format: uuid
             * @description The return; else null.
             */
            returnId: string | null;
            /**
             * Format: uuid
             * @description The webhook subscription; else null.
             */
            subscriptionId: string | null;
            /** @description The webhook event of a retry; else null. */
            eventId: string | null;
            /**
             * Format: uuid
             * @description The credential; else null.
             */
            credentialId: string | null;
        };
        UpdateOfferRequest: {
            /** @description Your own stock-keeping unit. Omit it or send null to keep it; a blank text clears it. */
            vendorSku?: string | null;
            /** @description Your own id for the offer, unique among the offers that you submitted through this API. Omit it or send null to keep it; a blank text clears it. */
            vendorExternalId?: string | null;
            /**
             * Format: gtin
             * @description GTIN-8, -12, -13 or -14 (EAN, UPC), digits only, with a correct check digit, not zeros alone. One that differs from the stored one only in leading zeros changes nothing. Omit it or send null to keep it; it cannot be cleared.
             */
            barcode?: string | null;
            /** @description The brand in your words. Omit it or send null to keep it; a blank text clears it, which only a matched offer allows. */
            rawBrandName?: string | null;
            /** @description The product name in your words. Omit it or send null to keep it; a blank text clears it, which only a matched offer allows. */
            rawProductName?: string | null;
            /** @description The concentration in your words. Omit it or send null to keep it; a blank text clears it. */
            rawConcentration?: string | null;
            /** @description A description in your words. Omit it or send null to keep it; a blank text clears it. */
            rawDescription?: string | null;
            /**
             * Format: int32
             * @description The size in whole millilitres, 1 to 100,000. Omit it or send null to keep it.
             */
            rawSizeMl?: number | null;
            /**
             * Format: double
             * @description The wholesale cost in SAR: above 0, at most 9,999,999.99, with at most two decimals (round it to halalas). `costIsVatInclusive` says whether it includes VAT. A stored cost of 0 may be sent back.
             */
            cost?: number | null;
            /** @description Whether the amount includes VAT. The service computes the net amount and the VAT from it. The flag has no default: send it with every amount. */
            costIsVatInclusive?: boolean | null;
            /**
             * Format: double
             * @description The final sale price in SAR, including the whole commission: above 0, at most 9,999,999.99, with at most two decimals (round it to halalas). Only for agreements with the model `PercentageOfSale`. `salePriceIsVatInclusive` says whether it includes VAT.
             */
            salePrice?: number | null;
            /** @description Whether the amount includes VAT. The service computes the net amount and the VAT from it. The flag has no default: send it with every amount. */
            salePriceIsVatInclusive?: boolean | null;
            /**
             * Format: int32
             * @description The number of pieces, 0 to 1,000,000: above 0 in stock, 0 out of stock. Sending it, as null too, selects the older form of the body.
             */
            declaredStockQuantity?: number | null;
            /** @description Whether the product is in stock. Sending it, as null too, selects the older form of the body. */
            declaredInStock?: boolean | null;
        };
        UpdateShipmentRequest: {
            /** @description The vendor's own reference for the shipment. Omit it or send null to keep it; a blank text clears it. */
            vendorOrderId?: string | null;
            /** @description The carrier's tracking reference. Omit it or send null to keep it; a blank text clears it. */
            trackingRef?: string | null;
            /**
             * @description The carrier. `Other` requires `carrierNameOther`. Omit it or send null to keep it.
             * @enum {string|null}
             */
            carrier?: "CarrierA" | "CarrierB" | "CarrierC" | "Other" | null;
            /** @description The name of the carrier `Other`. Omit it or send null to keep it; a blank text clears it. */
            carrierNameOther?: string | null;
        };
        UpdateVendorProfileRequest: {
            /** @description Your name. Omit it or send null to keep it. */
            name?: string | null;
            /** @description The address at which the service reaches you. Omit it or send null to keep it; a blank text clears it. */
            contactEmail?: string | null;
        };
        UpdateWebhookRequest: {
            /**
             * Format: uri
             * @description The receiver: https to a public host by name, on port 443 or 8443, at most 2,048 characters. Omit it or send null to keep it.
             */
            url?: string | null;
            /**
             * @description The event types that the subscription receives: at least one, without duplicates. `GET /api/v1/event-types` describes them.
             *
             *     Omit them or send null to keep them.
             */
            eventTypes?: components["schemas"]["SubscribableEventType"][] | null;
            /** @description Headers that each request to the receiver has, at most five. Not those that the gateway sets. Omit them to keep them; null and an empty list remove them. */
            headers?: components["schemas"]["CustomHeader"][] | null;
        };
        VendorOfferAgreementSwitchedData: {
            previousPricingModel: components["schemas"]["PricingModelName"];
            pricingModel: components["schemas"]["PricingModelName"];
        };
        VendorOfferAgreementSwitchedEvent: {
            /** @description The same on every attempt, and equal to the header `webhook-id`. Deduplicate by it. */
            eventId: string;
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            occurredAt: string;
            /**
             * @description The version of this body.
             * @constant
             */
            apiVersion: "v1";
            /**
             * Format: uuid
             * @description The vendor's id.
             */
            vendorId: string;
            /** @description Whether the event is a sample sent by test-fire. */
            test: boolean;
            /**
             * Format: int64
             * @description The event's number among all your events, without gaps; null for a sample.
             */
            sequence: number | null;
            /**
             * @description The event type.
             * @constant
             */
            eventType: "vendor.offer.agreement-switched";
            /** @description What happened. */
            data: components["schemas"]["VendorOfferAgreementSwitchedData"];
        };
        VendorOfferReviewDecisionData: {
            /**
             * Format: uuid
             * @description The offer's id.
             */
            offerId: string;
            /** @description The vendor's own id for the offer, opaque to the service and unique among the offers that the vendor submitted through this API. It is the idempotency key of create-offer; null when there is none. */
            vendorExternalId: string | null;
            /** @description The vendor's own stock-keeping unit; null when there is none. */
            vendorSku: string | null;
            decision: components["schemas"]["ReviewDecision"];
            status: components["schemas"]["OfferStatus"];
            /** @description The reviewer's reason; null when the reviewer gave none, and after an approval. */
            reason: string | null;
            /**
             * Format: date-time
             * @description When the reviewer decided, in UTC.
             */
            reviewedAt: string;
        };
        VendorOfferReviewDecisionEvent: {
            /** @description The same on every attempt, and equal to the header `webhook-id`. Deduplicate by it. */
            eventId: string;
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            occurredAt: string;
            /**
             * @description The version of this body.
             * @constant
             */
            apiVersion: "v1";
            /**
             * Format: uuid
             * @description The vendor's id.
             */
            vendorId: string;
            /** @description Whether the event is a sample sent by test-fire. */
            test: boolean;
            /**
             * Format: int64
             * @description The event's number among all your events, without gaps; null for a sample.
             */
            sequence: number | null;
            /**
             * @description The event type.
             * @constant
             */
            eventType: "vendor.offer.review-decision";
            /** @description What happened. */
            data: components["schemas"]["VendorOfferReviewDecisionData"];
        };
        VendorOrderAssignedData: {
            /**
             * Format: uuid
             * @description The shipment's id.
             */
            groupId: string;
            /** @description The service's own id of the order: `ord_` and a uuid. It is never a partner's reference. */
            orderGlobalId: string;
            status: components["schemas"]["FulfilmentGroupStatus"];
            /** @description The lines of the shipment. */
            lines: components["schemas"]["OrderLine"][];
        };
        VendorOrderAssignedEvent: {
            /** @description The same on every attempt, and equal to the header `webhook-id`. Deduplicate by it. */
            eventId: string;
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            occurredAt: string;
            /**
             * @description The version of this body.
             * @constant
             */
            apiVersion: "v1";
            /**
             * Format: uuid
             * @description The vendor's id.
             */
            vendorId: string;
            /** @description Whether the event is a sample sent by test-fire. */
            test: boolean;
            /**
             * Format: int64
             * @description The event's number among all your events, without gaps; null for a sample.
             */
            sequence: number | null;
            /**
             * @description The event type.
             * @constant
             */
            eventType: "vendor.order.assigned";
            /** @description What happened. */
            data: components["schemas"]["VendorOrderAssignedData"];
        };
        VendorOrderChangedData: {
            /**
             * Format: uuid
             * @description The shipment's id.
             */
            groupId: string;
            /** @description The service's own id of the order: `ord_` and a uuid. It is never a partner's reference. */
            orderGlobalId: string;
            previousStatus: components["schemas"]["FulfilmentGroupStatus"];
            status: components["schemas"]["FulfilmentGroupStatus"];
        };
        VendorOrderChangedEvent: {
            /** @description The same on every attempt, and equal to the header `webhook-id`. Deduplicate by it. */
            eventId: string;
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            occurredAt: string;
            /**
             * @description The version of this body.
             * @constant
             */
            apiVersion: "v1";
            /**
             * Format: uuid
             * @description The vendor's id.
             */
            vendorId: string;
            /** @description Whether the event is a sample sent by test-fire. */
            test: boolean;
            /**
             * Format: int64
             * @description The event's number among all your events, without gaps; null for a sample.
             */
            sequence: number | null;
            /**
             * @description The event type.
             * @constant
             */
            eventType: "vendor.order.changed";
            /** @description What happened. */
            data: components["schemas"]["VendorOrderChangedData"];
        };
        VendorProfile: {
            /**
             * Format: uuid
             * @description The vendor's id.
             */
            id: string;
            /** @description The vendor's name. */
            name: string;
            /** @description The address at which the service reaches the vendor; null when there is none. */
            contactEmail: string | null;
            /** @description The pricing model of the vendor's agreement. It decides which price field applies. */
            pricingModel: components["schemas"]["PricingModel"];
        };
        VendorProfileResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["VendorProfile"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        VendorReturnData: {
            /**
             * Format: uuid
             * @description The return's id.
             */
            returnId: string;
            /** @description The number that people use for it. */
            returnRequestNumber: string;
            /** @description The service's own id of the order: `ord_` and a uuid. It is never a partner's reference. */
            orderGlobalId: string;
            status: components["schemas"]["ReturnStatus"];
            /**
             * Format: date-time
             * @description When the workflow starts the inspection; null if no timer waits for that.
             */
            inspectionStartsAt: string | null;
            /**
             * Format: date-time
             * @description The deadline for a proposal; null before the inspection.
             */
            inspectionWindowDeadline: string | null;
            /** @description What silence decides at the deadline; null where it decides nothing. */
            silenceOutcome: string | null;
            /** @description The decision; null before it. */
            outcome: string | null;
            /** @description `Staff`, or `Silence` after a window without a proposal; null before the decision. */
            decidedBy: string | null;
        };
        VendorReturnDecidedEvent: {
            /** @description The same on every attempt, and equal to the header `webhook-id`. Deduplicate by it. */
            eventId: string;
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            occurredAt: string;
            /**
             * @description The version of this body.
             * @constant
             */
            apiVersion: "v1";
            /**
             * Format: uuid
             * @description The vendor's id.
             */
            vendorId: string;
            /** @description Whether the event is a sample sent by test-fire. */
            test: boolean;
            /**
             * Format: int64
             * @description The event's number among all your events, without gaps; null for a sample.
             */
            sequence: number | null;
            /**
             * @description The event type.
             * @constant
             */
            eventType: "vendor.return.decided";
            /** @description What happened. */
            data: components["schemas"]["VendorReturnData"];
        };
        VendorReturnInspectionClosingEvent: {
            /** @description The same on every attempt, and equal to the header `webhook-id`. Deduplicate by it. */
            eventId: string;
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            occurredAt: string;
            /**
             * @description The version of this body.
             * @constant
             */
            apiVersion: "v1";
            /**
             * Format: uuid
             * @description The vendor's id.
             */
            vendorId: string;
            /** @description Whether the event is a sample sent by test-fire. */
            test: boolean;
            /**
             * Format: int64
             * @description The event's number among all your events, without gaps; null for a sample.
             */
            sequence: number | null;
            /**
             * @description The event type.
             * @constant
             */
            eventType: "vendor.return.inspection-closing";
            /** @description What happened. */
            data: components["schemas"]["VendorReturnData"];
        };
        VendorReturnInspectionStartedEvent: {
            /** @description The same on every attempt, and equal to the header `webhook-id`. Deduplicate by it. */
            eventId: string;
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            occurredAt: string;
            /**
             * @description The version of this body.
             * @constant
             */
            apiVersion: "v1";
            /**
             * Format: uuid
             * @description The vendor's id.
             */
            vendorId: string;
            /** @description Whether the event is a sample sent by test-fire. */
            test: boolean;
            /**
             * Format: int64
             * @description The event's number among all your events, without gaps; null for a sample.
             */
            sequence: number | null;
            /**
             * @description The event type.
             * @constant
             */
            eventType: "vendor.return.inspection-started";
            /** @description What happened. */
            data: components["schemas"]["VendorReturnData"];
        };
        VendorReturnReceivedEvent: {
            /** @description The same on every attempt, and equal to the header `webhook-id`. Deduplicate by it. */
            eventId: string;
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            occurredAt: string;
            /**
             * @description The version of this body.
             * @constant
             */
            apiVersion: "v1";
            /**
             * Format: uuid
             * @description The vendor's id.
             */
            vendorId: string;
            /** @description Whether the event is a sample sent by test-fire. */
            test: boolean;
            /**
             * Format: int64
             * @description The event's number among all your events, without gaps; null for a sample.
             */
            sequence: number | null;
            /**
             * @description The event type.
             * @constant
             */
            eventType: "vendor.return.received";
            /** @description What happened. */
            data: components["schemas"]["VendorReturnData"];
        };
        VendorReturnRefundReleasedEvent: {
            /** @description The same on every attempt, and equal to the header `webhook-id`. Deduplicate by it. */
            eventId: string;
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            occurredAt: string;
            /**
             * @description The version of this body.
             * @constant
             */
            apiVersion: "v1";
            /**
             * Format: uuid
             * @description The vendor's id.
             */
            vendorId: string;
            /** @description Whether the event is a sample sent by test-fire. */
            test: boolean;
            /**
             * Format: int64
             * @description The event's number among all your events, without gaps; null for a sample.
             */
            sequence: number | null;
            /**
             * @description The event type.
             * @constant
             */
            eventType: "vendor.return.refund-released";
            /** @description What happened. */
            data: components["schemas"]["VendorReturnData"];
        };
        VendorReturnRequestedEvent: {
            /** @description The same on every attempt, and equal to the header `webhook-id`. Deduplicate by it. */
            eventId: string;
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            occurredAt: string;
            /**
             * @description The version of this body.
             * @constant
             */
            apiVersion: "v1";
            /**
             * Format: uuid
             * @description The vendor's id.
             */
            vendorId: string;
            /** @description Whether the event is a sample sent by test-fire. */
            test: boolean;
            /**
             * Format: int64
             * @description The event's number among all your events, without gaps; null for a sample.
             */
            sequence: number | null;
            /**
             * @description The event type.
             * @constant
             */
            eventType: "vendor.return.requested";
            /** @description What happened. */
            data: components["schemas"]["VendorReturnData"];
        };
        VendorWebhookDeliveryDeadLetteredData: {
            /**
             * Format: uuid
             * @description The subscription's id.
             */
            subscriptionId: string;
            /**
             * Format: uuid
             * @description The delivery's id.
             */
            deliveryId: string;
            /** @description The `eventId` of the event that was not delivered. */
            deadLetteredEventId: string;
            deadLetteredEventType: components["schemas"]["WebhookEventType"];
            /**
             * Format: int64
             * @description The number of its attempts.
             */
            attemptCount: number;
            /**
             * Format: int64
             * @description The status of the last response, or null.
             */
            httpStatus: number | null;
            /** @description Why the last attempt failed. */
            errorSummary: string | null;
        };
        VendorWebhookDeliveryDeadLetteredEvent: {
            /** @description The same on every attempt, and equal to the header `webhook-id`. Deduplicate by it. */
            eventId: string;
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            occurredAt: string;
            /**
             * @description The version of this body.
             * @constant
             */
            apiVersion: "v1";
            /**
             * Format: uuid
             * @description The vendor's id.
             */
            vendorId: string;
            /** @description Whether the event is a sample sent by test-fire. */
            test: boolean;
            /**
             * Format: int64
             * @description The event's number among all your events, without gaps; null for a sample.
             */
            sequence: number | null;
            /**
             * @description The event type.
             * @constant
             */
            eventType: "vendor.webhook.delivery-dead-lettered";
            /** @description What happened. */
            data: components["schemas"]["VendorWebhookDeliveryDeadLetteredData"];
        };
        VendorWebhookDisabledData: {
            /**
             * Format: uuid
             * @description The subscription's id.
             */
            subscriptionId: string;
            reason: components["schemas"]["WebhookDisabledReason"];
        };
        VendorWebhookDisabledEvent: {
            /** @description The same on every attempt, and equal to the header `webhook-id`. Deduplicate by it. */
            eventId: string;
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            occurredAt: string;
            /**
             * @description The version of this body.
             * @constant
             */
            apiVersion: "v1";
            /**
             * Format: uuid
             * @description The vendor's id.
             */
            vendorId: string;
            /** @description Whether the event is a sample sent by test-fire. */
            test: boolean;
            /**
             * Format: int64
             * @description The event's number among all your events, without gaps; null for a sample.
             */
            sequence: number | null;
            /**
             * @description The event type.
             * @constant
             */
            eventType: "vendor.webhook.disabled";
            /** @description What happened. */
            data: components["schemas"]["VendorWebhookDisabledData"];
        };
        WebhookAttemptAnswer: {
            /** @description Some of the headers. */
            headers: components["schemas"]["HttpHeader"][];
            /** @description The first 4,096 characters, with what looks like a secret replaced by `[redacted]`; null where the content type is no text. */
            body: string | null;
            /**
             * Format: int64
             * @description The bytes of the body, as far as they were read.
             */
            bodyBytes: number;
        };
        WebhookAttemptDetails: {
            /**
             * Format: uuid
             * @description The attempt's id.
             */
            id: string;
            eventType: components["schemas"]["WebhookEventType"];
            /** @description The same on every attempt of one event: the `eventId` and the `webhook-id` header that the receiver saw. Deduplicate by it. */
            idempotencyKey: string;
            /**
             * Format: int64
             * @description The number of the attempt, counted from 1 for each event; a redelivery continues the count.
             */
            attemptNumber: number;
            /**
             * Format: int64
             * @description The status of the receiver's response; null without a complete response.
             */
            httpStatus: number | null;
            /**
             * Format: date-time
             * @description When the attempt was sent, in UTC; null when nothing was sent, or when nobody knows.
             */
            sentAt: string | null;
            /** @description Whether the receiver answered with 2xx; false while the attempt is in progress. */
            succeeded: boolean;
            /** @description Why the attempt failed; null when it did not. It starts with one of `dns_error`, `connection_refused`, `connection_reset`, `network_unreachable`, `timeout`, `tls_error`, `redirect_not_followed`, `http_status`, `destination_blocked`, `subscription_inactive` and `worker_lost`. */
            errorSummary: string | null;
            /**
             * Format: date-time
             * @description When the service gave the event up, in UTC; null unless it did.
             */
            deadLetteredAt: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due, in UTC; equal to `sentAt` on the last attempt of an event.
             */
            nextAttemptAt: string;
            /**
             * Format: int64
             * @description How long the request took; null without one.
             */
            durationMs: number | null;
            /** @description What was sent; null when nothing was. */
            request: components["schemas"]["WebhookAttemptRequest"] | null;
            /** @description What your receiver answered; null without a response, and for a 2xx without a body. */
            answer: components["schemas"]["WebhookAttemptAnswer"] | null;
        };
        WebhookAttemptDetailsResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["WebhookAttemptDetails"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        WebhookAttemptRequest: {
            /** @description The headers, without the signature. Values of custom ones are hidden; `webhook-timestamp` is in real time. */
            headers: components["schemas"]["HttpHeader"][];
            /** @description The body, as it was signed. */
            body: string;
        };
        WebhookDelivery: {
            /**
             * Format: uuid
             * @description The delivery's id.
             */
            id: string;
            /**
             * Format: uuid
             * @description The subscription's id.
             */
            subscriptionId: string;
            eventType: components["schemas"]["WebhookEventType"];
            /** @description The same on every attempt of one event: the `eventId` and the `webhook-id` header that the receiver saw. Deduplicate by it. */
            idempotencyKey: string;
            state: components["schemas"]["WebhookDeliveryState"];
            /**
             * Format: int64
             * @description The number of attempts so far.
             */
            attemptCount: number;
            /**
             * Format: date-time
             * @description When the event was created, in UTC.
             */
            createdAt: string;
        };
        WebhookDeliveryAttempt: {
            /**
             * Format: uuid
             * @description The attempt's id.
             */
            id: string;
            eventType: components["schemas"]["WebhookEventType"];
            /** @description The same on every attempt of one event: the `eventId` and the `webhook-id` header that the receiver saw. Deduplicate by it. */
            idempotencyKey: string;
            /**
             * Format: int64
             * @description The number of the attempt, counted from 1 for each event; a redelivery continues the count.
             */
            attemptNumber: number;
            /**
             * Format: int64
             * @description The status of the receiver's response; null without a complete response.
             */
            httpStatus: number | null;
            /**
             * Format: date-time
             * @description When the attempt was sent, in UTC; null when nothing was sent, or when nobody knows.
             */
            sentAt: string | null;
            /** @description Whether the receiver answered with 2xx; false while the attempt is in progress. */
            succeeded: boolean;
            /** @description Why the attempt failed; null when it did not. It starts with one of `dns_error`, `connection_refused`, `connection_reset`, `network_unreachable`, `timeout`, `tls_error`, `redirect_not_followed`, `http_status`, `destination_blocked`, `subscription_inactive` and `worker_lost`. */
            errorSummary: string | null;
            /**
             * Format: date-time
             * @description When the service gave the event up, in UTC; null unless it did.
             */
            deadLetteredAt: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due, in UTC; equal to `sentAt` on the last attempt of an event.
             */
            nextAttemptAt: string;
        };
        WebhookDeliveryAttemptPage: {
            /** @description The items of this page. */
            items: components["schemas"]["WebhookDeliveryAttempt"][];
            /** @description The page's position in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        WebhookDeliveryAttemptPageResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["WebhookDeliveryAttemptPage"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        WebhookDeliveryAttemptResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["WebhookDeliveryAttempt"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        WebhookDeliveryResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["WebhookDelivery"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        /**
         * @description The delivery's state.
         *
         *     - `waiting`: an attempt is due or in progress.
         *     - `succeeded`: the receiver answered an attempt with 2xx.
         *     - `deadLettered`: given up: every attempt failed, or the receiver answered 410.
         *     - `cancelled`: cancelled because its subscription became inactive.
         *     - `failed`: a sample that failed; samples are not retried.
         */
        WebhookDeliveryState: string;
        /**
         * @description Why the gateway made the subscription inactive.
         *
         *     - `Gone`: its receiver answered 410.
         *     - `FailingTooLong`: it had nothing but failures for five days.
         */
        WebhookDisabledReason: string;
        /**
         * @description The event type.
         *
         *     - `vendor.order.assigned`: a shipment was assigned to the vendor. Requires the capability `Orders`.
         *     - `vendor.offer.review-decision`: a reviewer approved or rejected an offer, returned it to review, or applied or discarded a staged price. Requires the capability `Offers`.
         *     - `vendor.order.changed`: an operator delivered, cancelled or returned a shipment. Requires `Orders`, as the following types do.
         *     - `vendor.return.requested`: a customer requested a return that goes to the vendor.
         *     - `vendor.return.received`: the goods of a return arrived.
         *     - `vendor.return.inspection-started`: the vendor can propose an outcome.
         *     - `vendor.return.inspection-closing`: the inspection window ends soon, and without a proposal silence decides.
         *     - `vendor.return.decided`: an operator or silence decided a return.
         *     - `vendor.return.refund-released`: the refund of a return was released.
         *     - `vendor.webhook.disabled`: the gateway made a subscription inactive. Its other subscriptions receive this.
         *     - `vendor.webhook.delivery-dead-lettered`: an event could not be delivered to another subscription.
         *     - `vendor.offer.agreement-switched`: the pricing model changed, and offers may need new prices. Requires `Offers`.
         */
        WebhookEventType: string;
        WebhookRecovery: {
            /**
             * Format: int64
             * @description The number of deliveries on a new retry schedule.
             */
            recovered: number;
            /**
             * Format: int64
             * @description The number of waiting deliveries that are due now.
             */
            madeDue: number;
            /**
             * Format: int64
             * @description The number of events that had never been attempted.
             */
            missed: number;
        };
        WebhookRecoveryResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["WebhookRecovery"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        WebhookStatistics: {
            /**
             * Format: date-time
             * @description The start of the time, in UTC.
             */
            from: string;
            /**
             * Format: date-time
             * @description Its end: now, in UTC.
             */
            to: string;
            /**
             * Format: int64
             * @description The number of events with an attempt in this time.
             */
            deliveries: number;
            /**
             * Format: int64
             * @description The number of attempts, those in progress included.
             */
            attempts: number;
            /**
             * Format: int64
             * @description The number of attempts that your receiver answered with 2xx.
             */
            succeeded: number;
            /**
             * Format: int64
             * @description The number of attempts that failed.
             */
            failed: number;
            /**
             * Format: double
             * @description The attempts for each hour, on average.
             */
            attemptsPerHour: number;
            /** @description How long your receiver took to answer, with look-up and connection; null without a response. */
            answerTime: components["schemas"]["AnswerTime"] | null;
        };
        WebhookStatisticsResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["WebhookStatistics"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        WebhookSubscription: {
            /**
             * Format: uuid
             * @description The subscription's id.
             */
            id: string;
            /**
             * Format: uuid
             * @description The vendor's id.
             */
            vendorId: string;
            /** @description The receiver: https to a public host by name, on port 443 or 8443, at most 2,048 characters. */
            url: string;
            /** @description The event types that the subscription receives: at least one, without duplicates. `GET /api/v1/event-types` describes them. */
            eventTypes: components["schemas"]["WebhookEventType"][];
            /** @description Whether the subscription receives deliveries. A vendor has at most five active ones. */
            isActive: boolean;
            /**
             * Format: date-time
             * @description When the last attempt ended, in UTC; null before the first.
             */
            lastDeliveryAt: string | null;
            /**
             * @description The outcome of the last attempt; null before the first.
             *
             *     - `Success`: the receiver answered with 2xx.
             *     - `Failed`: the attempt failed, and either attempts are left or it was a sample.
             *     - `DeadLettered`: the last possible attempt failed.
             */
            lastDeliveryStatus: string | null;
            /** @description The names of the custom headers, in lower case. */
            headerNames: string[];
            /**
             * Format: date-time
             * @description When the subscription was created, in UTC.
             */
            createdAt: string | null;
        };
        WebhookSubscriptionPage: {
            /** @description The items of this page. */
            items: components["schemas"]["WebhookSubscription"][];
            /** @description The page's position in the list. */
            pagination: components["schemas"]["Pagination"];
        };
        WebhookSubscriptionPageResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["WebhookSubscriptionPage"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        WebhookSubscriptionResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["WebhookSubscription"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        WebhookSwitch: {
            /**
             * Format: uuid
             * @description The subscription's id.
             */
            id: string;
            /** @description Whether the subscription receives deliveries. */
            isActive: boolean;
        };
        WebhookSwitchResponse: {
            /**
             * @description Always `SUCCESS`.
             * @constant
             */
            state: "SUCCESS";
            /** @description The requested data. */
            payload: components["schemas"]["WebhookSwitch"];
            /** @description Always empty. */
            details: components["schemas"]["NoDetails"];
        };
        /** @description The response of every call that fails. */
        Error: {
            /** @description The error code. Judge a code that you do not know by the HTTP status. */
            state: string;
            /**
             * @description Always null.
             * @constant
             */
            payload: unknown;
            /** @description What else there is to know; `help` leads to the entry of the code. */
            details: components["schemas"]["ErrorDetails"];
        };
        /** @description Further information. The code decides which fields exist. */
        ErrorDetails: {
            /** @description `VALIDATION_ERRORS`: one entry for each failing field, at most 100. */
            errors?: components["schemas"]["FieldError"][];
            /** @description The values that the failing parameter or header allows. */
            allowedValues?: string[];
            /** @description `VALIDATION_UNKNOWN_QUERY_PARAMETER`: the parameters of the route. */
            allowedParameters?: string[];
            /** @description `VALIDATION_UNKNOWN_QUERY_PARAMETER`: the unknown parameters. */
            parameters?: string[];
            /** @description The query parameter that failed. */
            parameter?: string;
            /**
             * Format: int32
             * @description The least value of the parameter.
             */
            minimum?: number;
            /**
             * Format: int64
             * @description The greatest value of the parameter, or the limit that is reached.
             */
            maximum?: number;
            /** @description `VALIDATION_INVALID_DATE`: the form that the gateway wants. */
            expected?: string;
            /** @description What the gateway received: a text, or a list of texts. */
            received?: unknown;
            /** @description `NOT_FOUND_ROUTE`: the methods of the path. */
            allowedMethods?: string[];
            /** @description `FORBIDDEN`: the role that the operator lacks. */
            requiredRole?: string;
            /** @description The capability that the token lacks. */
            requiredCapability?: string;
            /** @description The event type that requires the capability. */
            eventType?: string;
            /** @description The capabilities that the vendor's active credentials do not hold together. */
            notHeld?: string[];
            /** @description Why the call was refused, for programs. */
            reason?: string;
            /** @description Why the call was refused, for people. */
            message?: string;
            /**
             * Format: int32
             * @description `TOO_MANY_REQUESTS`: the calls of an account at one time.
             */
            maxInProgress?: number;
            /** @description The present status of the object. */
            status?: string;
            /** @description The action that the status does not allow. */
            action?: string;
            /**
             * Format: int32
             * @description `CONFLICT_VERSION`: the call's version.
             */
            expectedVersion?: number;
            /**
             * Format: int32
             * @description `CONFLICT_VERSION`: the present version of the offer.
             */
            reviewVersion?: number;
            /**
             * Format: int32
             * @description `CONFLICT_VERSION`: the present version of the return.
             */
            version?: number;
            /**
             * Format: int32
             * @description `CONFLICT_VERSION`: the number of offers that the operator has seen.
             */
            expectedMoved?: number;
            /**
             * Format: int32
             * @description `CONFLICT_VERSION`: the offers that the switch would move now.
             */
            offersMovedToRepricing?: number;
            /** @description Whose act on the object was the latest; null: silence. For operators. */
            decidedBy?: string | null;
            /** @description That act, as in the audit log. */
            decision?: string;
            /** @description When that was, in UTC. */
            at?: string;
            /** @description The price field that failed, in PascalCase. */
            field?: string;
            /** @description The price field that the agreement in force takes, in PascalCase. */
            fieldToSend?: string;
            /** @description The pricing model of the agreement in force. */
            pricingModel?: string;
            /** @description `BUSINESS_RETURN_QUANTITY_EXCEEDED`: the lines that ask for too much. */
            lines?: components["schemas"]["ReturnedLine"][];
            /** @description `INTERNAL_ERROR`: the id of the call, for the operators of the gateway. */
            requestId?: string;
            /** @description The address of the entry on the page of all errors; a path without `PUBLIC_URL`. */
            help?: string;
            /** @description `BUSINESS_SANDBOX_CLOCK_LIMIT`: how far the clock can still go, in ISO 8601. */
            left?: string;
        };
        /** @description One failing field. */
        FieldError: {
            /** @description The field's name in PascalCase. */
            field: string;
            /** @description A JSON pointer into the request body. */
            path: string;
            /** @description The reason, for programs. */
            code: string;
            /** @description The reason, for people. */
            message: string;
        };
        /** @description One line of a return that asks for more than its order has left. */
        ReturnedLine: {
            /** @description A JSON pointer to the quantity of the line's first entry in the body. */
            path: string;
            /**
             * Format: int32
             * @description The quantity that was ordered.
             */
            orderedQuantity: number;
            /**
             * Format: int32
             * @description The quantity of all other returns.
             */
            returnedQuantity: number;
            /**
             * Format: int32
             * @description The quantity that the call asks for.
             */
            requestedQuantity: number;
        };
    };
    responses: {
        /**
         * @description `PAYLOAD_TOO_LARGE` (413): The body is larger than 1 MiB; a bulk job may have 8 MiB.
         *
         *     `UNSUPPORTED_MEDIA_TYPE` (415): The body is not application/json, or is compressed; see details.
         *
         *     `REQUEST_TIMEOUT` (408): The request did not arrive within 30 seconds; send it again.
         *
         *     `HEADERS_TOO_LARGE` (431): The headers are larger than 16 KiB.
         */
        BodyNotRead: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `BUSINESS_BULK_JOB_INVALID_TRANSITION`: The job's state does not allow this action. */
        BulkJobInvalidTransition: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Success: `BulkPushResultsOrPreviewResponse`. */
        BulkPushResultsOrPreviewSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BulkPushResultsOrPreviewResponse"];
            };
        };
        /** @description Success: `CatalogVariantPageResponse`. */
        CatalogVariantPageSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CatalogVariantPageResponse"];
            };
        };
        /** @description `CONFLICT_VERSION`: What you judge has changed since expectedVersion; read it again, then decide again. */
        ConflictVersion: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Success: `CredentialResponse`. */
        CredentialSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CredentialResponse"];
            };
        };
        /** @description Success: `DeletionResponse`. */
        DeletionSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DeletionResponse"];
            };
        };
        /** @description The attempt failed. The gateway retries it, unless it was a sample. */
        EventFailed: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description No retry; the subscription becomes inactive. */
        EventGone: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Success: `EventPageResponse`. */
        EventPageSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EventPageResponse"];
            };
        };
        /** @description Received: the delivery succeeded. */
        EventReceived: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Success: `EventTypesResponse`. */
        EventTypesSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EventTypesResponse"];
            };
        };
        /** @description Created: `EvidenceResponse`. */
        EvidenceCreated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EvidenceResponse"];
            };
        };
        /** @description Success: `ExistingFlatOfferOrPreviewResponse`. */
        ExistingFlatOfferOrPreviewSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ExistingFlatOfferOrPreviewResponse"];
            };
        };
        /** @description `FORBIDDEN`: The call is not available to this credential; see details. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `FORBIDDEN`: The call is not available to this credential; see details.
         *
         *     `FORBIDDEN_CAPABILITY_NOT_GRANTED`: The token lacks a capability; details.requiredCapability names it.
         */
        ForbiddenCapabilityNotGranted: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `FORBIDDEN`: The call is not available to this credential; see details.
         *
         *     `FORBIDDEN_CAPABILITY_NOT_GRANTED`: The token lacks a capability; details.requiredCapability names it.
         *
         *     `FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR`: The capabilities exceed what the vendor's active credentials hold; see details.notHeld.
         */
        ForbiddenCapabilityNotGrantedOrForbiddenCapabilityNotGrantedToVendor: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Created: `FulfilmentGroupResponse`. */
        FulfilmentGroupCreatedPending: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FulfilmentGroupResponse"];
            };
        };
        /** @description `BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION`: The group's status does not allow this action. */
        FulfilmentGroupInvalidTransition: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Success: `FulfilmentGroupResponse`. */
        FulfilmentGroupSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FulfilmentGroupResponse"];
            };
        };
        /** @description Success: `FulfilmentGroupResponse`. */
        FulfilmentGroupSuccessDelivered: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FulfilmentGroupResponse"];
            };
        };
        /** @description Success: `FulfilmentGroupResponse`. */
        FulfilmentGroupSuccessPacked: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FulfilmentGroupResponse"];
            };
        };
        /** @description `BUSINESS_IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key has no answer for this request; see details.reason. */
        IdempotencyKeyReused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `VALIDATION_UNKNOWN_QUERY_PARAMETER`: A query parameter is unknown; details.allowedParameters lists the known ones.
         *
         *     `VALIDATION_INVALID_PAGE`: page is not a whole number of at least 1 and at most 15 digits.
         *
         *     `VALIDATION_INVALID_PAGE_SIZE`: pageSize is not a whole number from 1 to 100.
         */
        InvalidPageOrInvalidPageSize: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `VALIDATION_UNKNOWN_QUERY_PARAMETER`: A query parameter is unknown; details.allowedParameters lists the known ones.
         *
         *     `VALIDATION_INVALID_PAGE`: page is not a whole number of at least 1 and at most 15 digits.
         *
         *     `VALIDATION_INVALID_PAGE_SIZE`: pageSize is not a whole number from 1 to 100.
         *
         *     `VALIDATION_INVALID_QUERY_PARAMETER`: A query parameter has an invalid value; details.parameter names it.
         */
        InvalidPageOrInvalidPageSizeOrInvalidQueryParameter: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `VALIDATION_UNKNOWN_QUERY_PARAMETER`: A query parameter is unknown; details.allowedParameters lists the known ones.
         *
         *     `VALIDATION_INVALID_PAGE`: page is not a whole number of at least 1 and at most 15 digits.
         *
         *     `VALIDATION_INVALID_PAGE_SIZE`: pageSize is not a whole number from 1 to 100.
         *
         *     `VALIDATION_INVALID_QUERY_PARAMETER`: A query parameter has an invalid value; details.parameter names it.
         *
         *     `VALIDATION_INVALID_DATE`: A date is not RFC 3339 with an offset, or from is after to.
         */
        InvalidPageOrInvalidPageSizeOrInvalidQueryParameterOrInvalidDate: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `VALIDATION_UNKNOWN_QUERY_PARAMETER`: A query parameter is unknown; details.allowedParameters lists the known ones.
         *
         *     `VALIDATION_INVALID_PAGE`: page is not a whole number of at least 1 and at most 15 digits.
         *
         *     `VALIDATION_INVALID_PAGE_SIZE`: pageSize is not a whole number from 1 to 100.
         *
         *     `VALIDATION_INVALID_QUERY_PARAMETER`: A query parameter has an invalid value; details.parameter names it.
         *
         *     `VALIDATION_INVALID_DATE`: A date is not RFC 3339 with an offset, or from is after to.
         *
         *     `VALIDATION_UNKNOWN_INCLUDE`: An include token is unknown; details.allowedValues lists the known.
         */
        InvalidPageOrInvalidPageSizeOrInvalidQueryParameterOrInvalidDateOrUnknownInclude: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `VALIDATION_UNKNOWN_QUERY_PARAMETER`: A query parameter is unknown; details.allowedParameters lists the known ones.
         *
         *     `VALIDATION_INVALID_PAGE`: page is not a whole number of at least 1 and at most 15 digits.
         *
         *     `VALIDATION_INVALID_PAGE_SIZE`: pageSize is not a whole number from 1 to 100.
         *
         *     `VALIDATION_ERRORS`: The request body is invalid; details.errors names each field.
         */
        InvalidPageOrInvalidPageSizeOrValidationErrors: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `VALIDATION_UNKNOWN_QUERY_PARAMETER`: A query parameter is unknown; details.allowedParameters lists the known ones.
         *
         *     `VALIDATION_INVALID_QUERY_PARAMETER`: A query parameter has an invalid value; details.parameter names it.
         *
         *     `VALIDATION_INVALID_PAGE_SIZE`: pageSize is not a whole number from 1 to 100.
         */
        InvalidQueryParameterOrInvalidPageSize: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `VALIDATION_UNKNOWN_QUERY_PARAMETER`: A query parameter is unknown; details.allowedParameters lists the known ones.
         *
         *     `VALIDATION_INVALID_QUERY_PARAMETER`: A query parameter has an invalid value; details.parameter names it.
         *
         *     `VALIDATION_ERRORS`: The request body is invalid; details.errors names each field.
         */
        InvalidQueryParameterOrValidationErrors: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Accepted: `JobResponse`. */
        JobAcceptedQueued: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["JobResponse"];
            };
        };
        /** @description Success: `JobItemResultPageResponse`. */
        JobItemResultPageSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["JobItemResultPageResponse"];
                "text/csv": string;
            };
        };
        /** @description Success: `JobResponse`. */
        JobSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["JobResponse"];
            };
        };
        /** @description Success: `JobResponse`. */
        JobSuccessCancelled: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["JobResponse"];
            };
        };
        /** @description `NOT_FOUND_BULK_JOB`: There is no bulk job with this id that you can access. */
        NotFoundBulkJob: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `NOT_FOUND_FULFILMENT_GROUP`: There is no fulfilment group with this id that you can access. */
        NotFoundFulfilmentGroup: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `NOT_FOUND_RETURN_REQUEST`: There is no return request with this id that you can access. */
        NotFoundReturnRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `NOT_FOUND_VENDOR_CREDENTIAL`: There is no credential with this id. */
        NotFoundVendorCredential: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `NOT_FOUND_VENDOR_OFFER`: There is no offer with this id that you can access. */
        NotFoundVendorOffer: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION`: There is no subscription with this id that you can access. */
        NotFoundVendorWebhookSubscription: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION`: There is no subscription with this id that you can access.
         *
         *     `NOT_FOUND_VENDOR_WEBHOOK_DELIVERY`: The subscription has no delivery with this id.
         */
        NotFoundVendorWebhookSubscriptionOrNotFoundVendorWebhookDelivery: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `REQUEST_TIMEOUT` (408): The request did not arrive within 30 seconds; send it again.
         *
         *     `HEADERS_TOO_LARGE` (431): The headers are larger than 16 KiB.
         */
        NotRead: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Success: `OfferInEitherFormOrPreviewResponse`. */
        OfferInEitherFormOrPreviewSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OfferInEitherFormOrPreviewResponse"];
            };
        };
        /** @description `BUSINESS_OFFER_INVALID_TRANSITION`: The offer's status does not allow this action. */
        OfferInvalidTransition: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `BUSINESS_OFFER_NO_PENDING_PRICE`: The offer has no staged price. */
        OfferNoPendingPrice: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Success: `OfferOrPreviewResponse`. */
        OfferOrPreviewSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OfferOrPreviewResponse"];
            };
        };
        /** @description `BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT`: The price field belongs to the other pricing model; send details.fieldToSend. */
        OfferPriceFieldNotForAgreement: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT`: The price field belongs to the other pricing model; send details.fieldToSend.
         *
         *     `BUSINESS_IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key has no answer for this request; see details.reason.
         */
        OfferPriceFieldNotForAgreementOrIdempotencyKeyReused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `BUSINESS_OFFER_PRICE_REQUIRED`: The offer has no price above 0 for its agreement; the vendor must push one first.
         *
         *     `BUSINESS_OFFER_INVALID_TRANSITION`: The offer's status does not allow this action.
         */
        OfferPriceRequiredOrOfferInvalidTransition: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Success: `OfferResponse`. */
        OfferSuccessPendingReview: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OfferResponse"];
            };
        };
        /** @description Success: `OfferResponse`. */
        OfferSuccessWithdrawn: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OfferResponse"];
            };
        };
        /** @description Success: `OfferWithHistoryResponse`. */
        OfferWithHistorySuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OfferWithHistoryResponse"];
            };
        };
        /**
         * @description `BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED`: A proposal requires at least one Photo; add it as evidence first.
         *
         *     `BUSINESS_RETURN_REQUEST_INVALID_TRANSITION`: The return's status does not allow this action.
         */
        ReturnInspectionEvidenceRequiredOrReturnRequestInvalidTransition: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `BUSINESS_RETURN_QUANTITY_EXCEEDED`: Other returns leave less of a line than this one asks for; see details.lines.
         *
         *     `BUSINESS_IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key has no answer for this request; see details.reason.
         */
        ReturnQuantityExceededOrIdempotencyKeyReused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Created: `ReturnRequestResponse`. */
        ReturnRequestCreatedInTransit: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ReturnRequestResponse"];
            };
        };
        /** @description `BUSINESS_RETURN_REQUEST_INVALID_TRANSITION`: The return's status does not allow this action. */
        ReturnRequestInvalidTransition: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `BUSINESS_RETURN_REQUEST_INVALID_TRANSITION`: The return's status does not allow this action.
         *
         *     `BUSINESS_RETURN_REQUEST_NOT_RECEIVED`: The return has not been received; confirm its receipt first.
         *
         *     `BUSINESS_RETURN_EVIDENCE_LIMIT`: The return already has 100 pieces of evidence.
         *
         *     `BUSINESS_IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key has no answer for this request; see details.reason.
         */
        ReturnRequestInvalidTransitionOrReturnRequestNotReceivedOrReturnEvidenceLimitOrIdempotencyKeyReused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Success: `ReturnRequestResponse`. */
        ReturnRequestSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ReturnRequestResponse"];
            };
        };
        /** @description Success: `ReturnRequestResponse`. */
        ReturnRequestSuccessInspectionAccepted: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ReturnRequestResponse"];
            };
        };
        /** @description Success: `ReturnRequestResponse`. */
        ReturnRequestSuccessReceived: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ReturnRequestResponse"];
            };
        };
        /** @description Success: `ReturnRequestWithHistoryResponse`. */
        ReturnRequestWithHistorySuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ReturnRequestWithHistoryResponse"];
            };
        };
        /** @description Success: `RotatedWebhookSecretResponse`. */
        RotatedWebhookSecretSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RotatedWebhookSecretResponse"];
            };
        };
        /** @description Accepted: `SandboxClockResponse`. */
        SandboxClockAccepted: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SandboxClockResponse"];
            };
        };
        /**
         * @description `BUSINESS_SANDBOX_CLOCK_ADVANCING`: The clock advances already; wait until it is Ready.
         *
         *     `BUSINESS_SANDBOX_CLOCK_LIMIT`: The clock would be more than 365 days ahead; details.left is what is left.
         *
         *     `BUSINESS_IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key has no answer for this request; see details.reason.
         */
        SandboxClockAdvancingOrSandboxClockLimitOrIdempotencyKeyReused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Success: `SandboxClockResponse`. */
        SandboxClockSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SandboxClockResponse"];
            };
        };
        /**
         * @description `BUSINESS_SANDBOX_NOTHING_TO_ORDER`: No offer can be ordered; approve one first.
         *
         *     `BUSINESS_IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key has no answer for this request; see details.reason.
         */
        SandboxNothingToOrderOrIdempotencyKeyReused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Created: `SandboxRegistrationResponse`. */
        SandboxRegistrationCreated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SandboxRegistrationResponse"];
            };
        };
        /** @description Accepted: `SandboxResetResponse`. */
        SandboxResetAccepted: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SandboxResetResponse"];
            };
        };
        /**
         * @description `INTERNAL_ERROR` (500): An unexpected error; report details.requestId.
         *
         *     `BAD_GATEWAY` (502): A dependency gave an invalid answer; retry with back-off.
         *
         *     `SERVICE_UNAVAILABLE` (503): A dependency is unavailable; retry with back-off.
         *
         *     `GATEWAY_TIMEOUT` (504): A dependency did not answer in time; retry with back-off.
         */
        ServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Success: `StatusChangePageResponse`. */
        StatusChangePageSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StatusChangePageResponse"];
            };
        };
        /** @description Success: `TokenResponse`. */
        TokenSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TokenResponse"];
            };
        };
        /** @description `TOO_MANY_REQUESTS`: The rate limit is used up, or too many calls are in progress (details.reason); wait Retry-After seconds. */
        TooManyRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `UNAUTHORIZED_MISSING_TOKEN`: The request has no bearer token.
         *
         *     `UNAUTHORIZED_INVALID_TOKEN`: The bearer token is invalid; fetch a new one.
         *
         *     `UNAUTHORIZED_TOKEN_EXPIRED`: The bearer token has expired; fetch a new one.
         *
         *     `UPSTREAM_AUTH_FAILED`: A dependency refused the gateway itself; retry later.
         */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `UNAUTHORIZED_INVALID_CREDENTIALS`: The client id is unknown or the secret is wrong.
         *
         *     `UNAUTHORIZED_VENDOR_INACTIVE`: The vendor is inactive; contact the operator.
         *
         *     `UPSTREAM_AUTH_FAILED`: A dependency refused the gateway itself; retry later.
         */
        UnauthorizedInvalidCredentialsOrUnauthorizedVendorInactive: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `VALIDATION_UNKNOWN_QUERY_PARAMETER`: A query parameter is unknown; details.allowedParameters lists the known ones.
         *
         *     `VALIDATION_UNKNOWN_INCLUDE`: An include token is unknown; details.allowedValues lists the known.
         *
         *     `VALIDATION_INVALID_QUERY_PARAMETER`: A query parameter has an invalid value; details.parameter names it.
         */
        UnknownIncludeOrInvalidQueryParameter: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `VALIDATION_UNKNOWN_QUERY_PARAMETER`: A query parameter is unknown; details.allowedParameters lists the known ones. */
        UnknownQueryParameter: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Success: `UpcomingPageResponse`. */
        UpcomingPageSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UpcomingPageResponse"];
            };
        };
        /** @description `UPSTREAM_AUTH_FAILED`: A dependency refused the gateway itself; retry later. */
        UpstreamAuthFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `VALIDATION_UNKNOWN_QUERY_PARAMETER`: A query parameter is unknown; details.allowedParameters lists the known ones.
         *
         *     `VALIDATION_ERRORS`: The request body is invalid; details.errors names each field.
         */
        ValidationErrors: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `VALIDATION_UNKNOWN_QUERY_PARAMETER`: A query parameter is unknown; details.allowedParameters lists the known ones.
         *
         *     `VALIDATION_ERRORS`: The request body is invalid; details.errors names each field.
         *
         *     `VALIDATION_WEBHOOK_EVENT_TYPE_NOT_SUBSCRIBED`: The subscription lacks this event type; details.allowedValues lists its types.
         */
        ValidationErrorsOrWebhookEventTypeNotSubscribed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING`: The vendor has no active credential; an operator must issue one. */
        VendorFirstCredentialRequiresOnboarding: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING`: The vendor has no active credential; an operator must issue one.
         *
         *     `BUSINESS_VENDOR_CREDENTIAL_LIMIT`: The vendor has twenty credentials; delete one that is no longer used.
         *
         *     `BUSINESS_IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key has no answer for this request; see details.reason.
         */
        VendorFirstCredentialRequiresOnboardingOrVendorCredentialLimitOrIdempotencyKeyReused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Success: `VendorProfileResponse`. */
        VendorProfileSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["VendorProfileResponse"];
            };
        };
        /** @description `BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE`: The delivery cannot be redelivered; see details.reason. */
        VendorWebhookDeliveryNotRedeliverable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_INACTIVE`: The subscription is inactive; activate it first. */
        VendorWebhookSubscriptionInactive: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT`: There are too many subscriptions, or the URL is not allowed; see details.reason. */
        VendorWebhookSubscriptionLimit: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT`: There are too many subscriptions, or the URL is not allowed; see details.reason.
         *
         *     `BUSINESS_IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key has no answer for this request; see details.reason.
         */
        VendorWebhookSubscriptionLimitOrIdempotencyKeyReused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Success: `WebhookAttemptDetailsResponse`. */
        WebhookAttemptDetailsSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookAttemptDetailsResponse"];
            };
        };
        /** @description Success: `WebhookDeliveryResponse`. */
        WebhookDeliverySuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookDeliveryResponse"];
            };
        };
        /** @description Accepted: `WebhookRecoveryResponse`. */
        WebhookRecoveryAccepted: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookRecoveryResponse"];
            };
        };
        /** @description Success: `WebhookStatisticsResponse`. */
        WebhookStatisticsSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookStatisticsResponse"];
            };
        };
        /** @description Success: `WebhookSubscriptionResponse`. */
        WebhookSubscriptionSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookSubscriptionResponse"];
            };
        };
        /** @description Success: `WebhookSwitchResponse`. */
        WebhookSwitchSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookSwitchResponse"];
            };
        };
    };
    parameters: {
        /** @description The attempt's id, from the list of deliveries. */
        AttemptId: string;
        /** @description Only items that changed strictly after this instant, in order of change. RFC 3339 with a time and an offset or `Z`, with up to six decimals; write the `+` of an offset as `%2B`. Start with an early instant and continue with `details.nextChangedSince` where the list returns it. */
        ChangedSince: string;
        /** @description The credential's id. */
        CredentialId: string;
        /** @description A call with the key of an earlier one gets its response again and creates nothing, for 24 hours of real time. 1 to 255 visible ASCII characters, bare or in double quotes. See [repeating a call that creates](/docs/errors#repeating-a-call-that-creates). */
        IdempotencyKey: string;
        /** @description A comma-separated list of parts to add. `history`: the status changes, oldest first. */
        Include: "history";
        /** @description The job's id. */
        JobId: string;
        /** @description The offer's id. */
        OfferId: string;
        /** @description The page number, counted from 1. A page beyond the last one is empty. */
        Page: number;
        /** @description The number of items on a page, 1 to 100. Any other number is refused. */
        PageSize: number;
        /** @description The return's id. */
        ReturnId: string;
        /** @description The shipment's id. */
        ShipmentId: string;
        /** @description The subscription's id. */
        SubscriptionId: string;
        /** @description With `true` the call stores nothing: it gives the response that the same call would give without it, and `details.validateOnly`. It counts for the rate limit of general calls. See [validating without storing](/docs/offers#validating-without-storing). */
        ValidateOnly: "true" | "false";
        /** @description True changes nothing: the results show what each item would return. */
        ValidateOnlyInQuery: "true" | "false";
        /** @description The event's id, the same on every attempt and equal to `eventId`. */
        WebhookId: string;
        /** @description `v1,` and the HMAC-SHA256 in base64 of `webhook-id`, a dot, `webhook-timestamp`, a dot and the raw body. The key is the base64 part of the secret (Standard Webhooks). */
        WebhookSignature: string;
        /** @description The time of this attempt, in whole seconds since 1970. */
        WebhookTimestamp: number;
        /** @description The environment of the credentials. `Production` is the only one of this gateway. */
        XServiceEnvironment: "Production";
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTokenRequest"];
            };
        };
        responses: {
            200: components["responses"]["TokenSuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["UnauthorizedInvalidCredentialsOrUnauthorizedVendorInactive"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listOffers: {
        parameters: {
            query?: {
                /** @description The page number, counted from 1. A page beyond the last one is empty. */
                page?: components["parameters"]["Page"];
                /** @description The number of items on a page, 1 to 100. Any other number is refused. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Only offers in this status. */
                status?: "Draft" | "PendingMatch" | "PendingReview" | "Approved" | "Rejected" | "Withdrawn" | "Suspended" | "PendingRepricing";
                /** @description Only offers with exactly this SKU. */
                vendorSku?: string;
                /** @description Only offers with exactly this id of yours. */
                vendorExternalId?: string;
                /** @description Only items that changed strictly after this instant, in order of change. RFC 3339 with a time and an offset or `Z`, with up to six decimals; write the `+` of an offset as `%2B`. Start with an early instant and continue with `details.nextChangedSince` where the list returns it. */
                changedSince?: components["parameters"]["ChangedSince"];
                /** @description Only offers created at this instant or later. RFC 3339 with a time and an offset or `Z`. */
                from?: string;
                /** @description Only offers created at this instant or earlier; not before `from`. RFC 3339 with a time and an offset or `Z`. */
                to?: string;
                /** @description A comma-separated list of parts to add. `history`: the status changes, oldest first. */
                include?: components["parameters"]["Include"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success: `OfferWithHistoryPageResponse`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfferWithHistoryPageResponse"];
                };
            };
            400: components["responses"]["InvalidPageOrInvalidPageSizeOrInvalidQueryParameterOrInvalidDateOrUnknownInclude"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["NotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createOffer: {
        parameters: {
            query?: {
                /** @description With `true` the call stores nothing: it gives the response that the same call would give without it, and `details.validateOnly`. It counts for the rate limit of general calls. See [validating without storing](/docs/offers#validating-without-storing). */
                validateOnly?: components["parameters"]["ValidateOnly"];
            };
            header?: {
                /** @description A call with the key of an earlier one gets its response again and creates nothing, for 24 hours of real time. 1 to 255 visible ASCII characters, bare or in double quotes. See [repeating a call that creates](/docs/errors#repeating-a-call-that-creates). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOfferRequest"];
            };
        };
        responses: {
            200: components["responses"]["ExistingFlatOfferOrPreviewSuccess"];
            /** @description Created: `FlatOfferOrPreviewResponse`. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlatOfferOrPreviewResponse"];
                };
            };
            400: components["responses"]["InvalidQueryParameterOrValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            422: components["responses"]["OfferPriceFieldNotForAgreementOrIdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getOffer: {
        parameters: {
            query?: {
                /** @description A comma-separated list of parts to add. `history`: the status changes, oldest first. */
                include?: components["parameters"]["Include"];
            };
            header?: never;
            path: {
                /** @description The offer's id. */
                id: components["parameters"]["OfferId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OfferWithHistorySuccess"];
            400: components["responses"]["UnknownIncludeOrInvalidQueryParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundVendorOffer"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["NotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    updateOffer: {
        parameters: {
            query?: {
                /** @description With `true` the call stores nothing: it gives the response that the same call would give without it, and `details.validateOnly`. It counts for the rate limit of general calls. See [validating without storing](/docs/offers#validating-without-storing). */
                validateOnly?: components["parameters"]["ValidateOnly"];
            };
            header?: never;
            path: {
                /** @description The offer's id. */
                id: components["parameters"]["OfferId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateOfferRequest"];
            };
        };
        responses: {
            200: components["responses"]["OfferInEitherFormOrPreviewSuccess"];
            400: components["responses"]["InvalidQueryParameterOrValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundVendorOffer"];
            422: components["responses"]["OfferPriceFieldNotForAgreement"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listOfferHistory: {
        parameters: {
            query?: {
                /** @description The page number, counted from 1. A page beyond the last one is empty. */
                page?: components["parameters"]["Page"];
                /** @description The number of items on a page, 1 to 100. Any other number is refused. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: never;
            path: {
                /** @description The offer's id. */
                id: components["parameters"]["OfferId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatusChangePageSuccess"];
            400: components["responses"]["InvalidPageOrInvalidPageSize"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundVendorOffer"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["NotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    pushCost: {
        parameters: {
            query?: {
                /** @description With `true` the call stores nothing: it gives the response that the same call would give without it, and `details.validateOnly`. It counts for the rate limit of general calls. See [validating without storing](/docs/offers#validating-without-storing). */
                validateOnly?: components["parameters"]["ValidateOnly"];
            };
            header?: never;
            path: {
                /** @description The offer's id. */
                id: components["parameters"]["OfferId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PushCostRequest"];
            };
        };
        responses: {
            200: components["responses"]["OfferOrPreviewSuccess"];
            400: components["responses"]["InvalidQueryParameterOrValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundVendorOffer"];
            422: components["responses"]["OfferPriceFieldNotForAgreement"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    pushSalePrice: {
        parameters: {
            query?: {
                /** @description With `true` the call stores nothing: it gives the response that the same call would give without it, and `details.validateOnly`. It counts for the rate limit of general calls. See [validating without storing](/docs/offers#validating-without-storing). */
                validateOnly?: components["parameters"]["ValidateOnly"];
            };
            header?: never;
            path: {
                /** @description The offer's id. */
                id: components["parameters"]["OfferId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PushSalePriceRequest"];
            };
        };
        responses: {
            200: components["responses"]["OfferOrPreviewSuccess"];
            400: components["responses"]["InvalidQueryParameterOrValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundVendorOffer"];
            422: components["responses"]["OfferPriceFieldNotForAgreement"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    pushStock: {
        parameters: {
            query?: {
                /** @description With `true` the call stores nothing: it gives the response that the same call would give without it, and `details.validateOnly`. It counts for the rate limit of general calls. See [validating without storing](/docs/offers#validating-without-storing). */
                validateOnly?: components["parameters"]["ValidateOnly"];
            };
            header?: never;
            path: {
                /** @description The offer's id. */
                offerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PushStockRequest"];
            };
        };
        responses: {
            200: components["responses"]["OfferOrPreviewSuccess"];
            400: components["responses"]["InvalidQueryParameterOrValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundVendorOffer"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    pushStocks: {
        parameters: {
            query?: {
                /** @description With `true` the call stores nothing: it gives the response that the same call would give without it, and `details.validateOnly`. It counts for the rate limit of general calls. See [validating without storing](/docs/offers#validating-without-storing). */
                validateOnly?: components["parameters"]["ValidateOnly"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PushStocksRequest"];
            };
        };
        responses: {
            200: components["responses"]["BulkPushResultsOrPreviewSuccess"];
            400: components["responses"]["InvalidQueryParameterOrValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description The page number, counted from 1. A page beyond the last one is empty. */
                page?: components["parameters"]["Page"];
                /** @description The number of items on a page, 1 to 100. Any other number is refused. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Only jobs of this kind. */
                kind?: "createOffers" | "updateOffers" | "pushCosts" | "pushSalePrices" | "pushStocks";
                /** @description Only jobs in this state. */
                state?: "Queued" | "Running" | "Finished" | "Cancelled";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success: `JobPageResponse`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobPageResponse"];
                };
            };
            400: components["responses"]["InvalidPageOrInvalidPageSizeOrInvalidQueryParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["NotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    startJob: {
        parameters: {
            query?: {
                /** @description The kind of the items of a CSV body. */
                kind?: "createOffers" | "updateOffers" | "pushCosts" | "pushSalePrices" | "pushStocks";
                /** @description True changes nothing: the results show what each item would return. */
                validateOnly?: components["parameters"]["ValidateOnlyInQuery"];
            };
            header?: {
                /** @description A call with the key of an earlier one gets its response again and creates nothing, for 24 hours of real time. 1 to 255 visible ASCII characters, bare or in double quotes. See [repeating a call that creates](/docs/errors#repeating-a-call-that-creates). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartJobRequest"];
                "text/csv": string;
            };
        };
        responses: {
            /** @description Accepted: `JobResponse`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobResponse"];
                };
            };
            400: components["responses"]["InvalidQueryParameterOrValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["JobSuccess"];
            400: components["responses"]["UnknownQueryParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundBulkJob"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["NotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listJobResults: {
        parameters: {
            query?: {
                /** @description The page number, counted from 1. A page beyond the last one is empty. */
                page?: components["parameters"]["Page"];
                /** @description The number of items on a page, 1 to 100. Any other number is refused. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Only items that failed (`true`), or only the others (`false`). */
                failed?: "true" | "false";
                /** @description The form of the response; it takes precedence over `Accept`. */
                format?: "json" | "csv";
            };
            header?: never;
            path: {
                /** @description The job's id. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["JobItemResultPageSuccess"];
            400: components["responses"]["InvalidPageOrInvalidPageSizeOrInvalidQueryParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundBulkJob"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["NotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["JobSuccessCancelled"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundBulkJob"];
            422: components["responses"]["BulkJobInvalidTransition"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    revertJob: {
        parameters: {
            query?: {
                /** @description True changes nothing: the results show what each item would return. */
                validateOnly?: components["parameters"]["ValidateOnlyInQuery"];
            };
            header?: never;
            path: {
                /** @description The job's id. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: components["responses"]["JobAcceptedQueued"];
            400: components["responses"]["InvalidQueryParameterOrValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundBulkJob"];
            422: components["responses"]["BulkJobInvalidTransition"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    submitOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The offer's id. */
                id: components["parameters"]["OfferId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OfferSuccessPendingReview"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundVendorOffer"];
            422: components["responses"]["OfferInvalidTransition"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    withdrawOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The offer's id. */
                id: components["parameters"]["OfferId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OfferSuccessWithdrawn"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundVendorOffer"];
            422: components["responses"]["OfferInvalidTransition"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    searchVariants: {
        parameters: {
            query?: {
                /** @description The page number, counted from 1. A page beyond the last one is empty. */
                page?: components["parameters"]["Page"];
                /** @description The number of items on a page, 1 to 100. Any other number is refused. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Only variants with this GTIN-8, -12, -13 or -14. Leading zeros make no difference. */
                barcode?: string;
                /** @description Only variants that have all of these words in brand, product name, concentration or SKU. Beginnings of words are enough; case, accents and Arabic articles make no difference. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CatalogVariantPageSuccess"];
            400: components["responses"]["InvalidPageOrInvalidPageSizeOrInvalidQueryParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["NotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listShipments: {
        parameters: {
            query?: {
                /** @description The page number, counted from 1. A page beyond the last one is empty. */
                page?: components["parameters"]["Page"];
                /** @description The number of items on a page, 1 to 100. Any other number is refused. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Only shipments in this status. */
                status?: "Pending" | "Packed" | "Shipped" | "Delivered" | "Cancelled" | "Returned" | "PendingSourcing";
                /** @description Only items that changed strictly after this instant, in order of change. RFC 3339 with a time and an offset or `Z`, with up to six decimals; write the `+` of an offset as `%2B`. Start with an early instant and continue with `details.nextChangedSince` where the list returns it. */
                changedSince?: components["parameters"]["ChangedSince"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success: `FulfilmentGroupPageResponse`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FulfilmentGroupPageResponse"];
                };
            };
            400: components["responses"]["InvalidPageOrInvalidPageSizeOrInvalidQueryParameterOrInvalidDate"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["NotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getShipment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The shipment's id. */
                groupId: components["parameters"]["ShipmentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FulfilmentGroupSuccess"];
            400: components["responses"]["UnknownQueryParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundFulfilmentGroup"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["NotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    updateShipment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The shipment's id. */
                groupId: components["parameters"]["ShipmentId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateShipmentRequest"];
            };
        };
        responses: {
            200: components["responses"]["FulfilmentGroupSuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundFulfilmentGroup"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    packShipment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The shipment's id. */
                groupId: components["parameters"]["ShipmentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FulfilmentGroupSuccessPacked"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundFulfilmentGroup"];
            422: components["responses"]["FulfilmentGroupInvalidTransition"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    shipShipment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The shipment's id. */
                groupId: components["parameters"]["ShipmentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FulfilmentGroupSuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundFulfilmentGroup"];
            422: components["responses"]["FulfilmentGroupInvalidTransition"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listReturns: {
        parameters: {
            query?: {
                /** @description The page number, counted from 1. A page beyond the last one is empty. */
                page?: components["parameters"]["Page"];
                /** @description The number of items on a page, 1 to 100. Any other number is refused. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Only returns in this status. */
                status?: "Pending" | "Approved" | "Rejected" | "InTransit" | "Received" | "UnderInspection" | "InspectionAccepted" | "InspectionRejected" | "RefundReleased" | "Closed" | "Withdrawn";
                /** @description Only items that changed strictly after this instant, in order of change. RFC 3339 with a time and an offset or `Z`, with up to six decimals; write the `+` of an offset as `%2B`. Start with an early instant and continue with `details.nextChangedSince` where the list returns it. */
                changedSince?: components["parameters"]["ChangedSince"];
                /** @description Only returns requested at this instant or later. RFC 3339 with a time and an offset or `Z`. */
                from?: string;
                /** @description Only returns requested at this instant or earlier; not before `from`. RFC 3339 with a time and an offset or `Z`. */
                to?: string;
                /** @description A comma-separated list of parts to add. `history`: the status changes, oldest first. */
                include?: components["parameters"]["Include"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success: `ReturnRequestWithHistoryPageResponse`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReturnRequestWithHistoryPageResponse"];
                };
            };
            400: components["responses"]["InvalidPageOrInvalidPageSizeOrInvalidQueryParameterOrInvalidDateOrUnknownInclude"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["NotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getReturn: {
        parameters: {
            query?: {
                /** @description A comma-separated list of parts to add. `history`: the status changes, oldest first. */
                include?: components["parameters"]["Include"];
            };
            header?: never;
            path: {
                /** @description The return's id. */
                id: components["parameters"]["ReturnId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ReturnRequestWithHistorySuccess"];
            400: components["responses"]["UnknownIncludeOrInvalidQueryParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundReturnRequest"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["NotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    confirmReturnReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The return's id. */
                id: components["parameters"]["ReturnId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ReturnRequestSuccessReceived"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundReturnRequest"];
            422: components["responses"]["ReturnRequestInvalidTransition"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    addReturnEvidence: {
        parameters: {
            query?: never;
            header?: {
                /** @description A call with the key of an earlier one gets its response again and creates nothing, for 24 hours of real time. 1 to 255 visible ASCII characters, bare or in double quotes. See [repeating a call that creates](/docs/errors#repeating-a-call-that-creates). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The return's id. */
                id: components["parameters"]["ReturnId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddReturnEvidenceRequest"];
            };
        };
        responses: {
            201: components["responses"]["EvidenceCreated"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundReturnRequest"];
            422: components["responses"]["ReturnRequestInvalidTransitionOrReturnRequestNotReceivedOrReturnEvidenceLimitOrIdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    proposeInspectionOutcome: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The return's id. */
                id: components["parameters"]["ReturnId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProposeInspectionOutcomeRequest"];
            };
        };
        responses: {
            200: components["responses"]["ReturnRequestSuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundReturnRequest"];
            422: components["responses"]["ReturnInspectionEvidenceRequiredOrReturnRequestInvalidTransition"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description The page number, counted from 1. A page beyond the last one is empty. */
                page?: components["parameters"]["Page"];
                /** @description The number of items on a page, 1 to 100. Any other number is refused. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success: `WebhookSubscriptionPageResponse`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSubscriptionPageResponse"];
                };
            };
            400: components["responses"]["InvalidPageOrInvalidPageSize"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["NotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A call with the key of an earlier one gets its response again and creates nothing, for 24 hours of real time. 1 to 255 visible ASCII characters, bare or in double quotes. See [repeating a call that creates](/docs/errors#repeating-a-call-that-creates). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description Created: `CreatedWebhookSubscriptionResponse`. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhookSubscriptionResponse"];
                };
            };
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            422: components["responses"]["VendorWebhookSubscriptionLimitOrIdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The subscription's id. */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WebhookSubscriptionSuccess"];
            400: components["responses"]["UnknownQueryParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundVendorWebhookSubscription"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["NotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The subscription's id. */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            200: components["responses"]["WebhookSubscriptionSuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundVendorWebhookSubscription"];
            422: components["responses"]["VendorWebhookSubscriptionLimit"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The subscription's id. */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeletionSuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundVendorWebhookSubscription"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listDeliveryAttempts: {
        parameters: {
            query?: {
                /** @description The page number, counted from 1. A page beyond the last one is empty. */
                page?: components["parameters"]["Page"];
                /** @description The number of items on a page, 1 to 100. Any other number is refused. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Only attempts of deliveries that are in this state. */
                state?: "waiting" | "succeeded" | "deadLettered" | "cancelled" | "failed";
                /** @description Only attempts of this event type. */
                eventType?: "vendor.order.assigned" | "vendor.offer.review-decision" | "vendor.order.changed" | "vendor.offer.agreement-switched" | "vendor.return.requested" | "vendor.return.received" | "vendor.return.inspection-started" | "vendor.return.inspection-closing" | "vendor.return.decided" | "vendor.return.refund-released" | "vendor.webhook.disabled" | "vendor.webhook.delivery-dead-lettered";
                /** @description Only attempts of this event. */
                eventId?: string;
                /** @description Only attempts begun at this instant or later. RFC 3339 with a time and an offset or `Z`. */
                from?: string;
                /** @description Only attempts begun at this instant or earlier; not before `from`. RFC 3339 with a time and an offset or `Z`. */
                to?: string;
            };
            header?: never;
            path: {
                /** @description The subscription's id. */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success: `WebhookDeliveryAttemptPageResponse`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryAttemptPageResponse"];
                };
            };
            400: components["responses"]["InvalidPageOrInvalidPageSizeOrInvalidQueryParameterOrInvalidDate"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundVendorWebhookSubscription"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["NotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getDeliveryAttempt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The subscription's id. */
                id: components["parameters"]["SubscriptionId"];
                /** @description The attempt's id, from the list of deliveries. */
                attemptId: components["parameters"]["AttemptId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WebhookAttemptDetailsSuccess"];
            400: components["responses"]["UnknownQueryParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundVendorWebhookSubscriptionOrNotFoundVendorWebhookDelivery"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["NotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getWebhookStatistics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The subscription's id. */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WebhookStatisticsSuccess"];
            400: components["responses"]["UnknownQueryParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundVendorWebhookSubscription"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["NotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    updateScentWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The subscription's id. */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            200: components["responses"]["WebhookSubscriptionSuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundVendorWebhookSubscription"];
            422: components["responses"]["VendorWebhookSubscriptionLimit"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    setWebhookActive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The subscription's id. */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetWebhookActiveRequest"];
            };
        };
        responses: {
            200: components["responses"]["WebhookSwitchSuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundVendorWebhookSubscription"];
            422: components["responses"]["VendorWebhookSubscriptionLimit"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The subscription's id. */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RotatedWebhookSecretSuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundVendorWebhookSubscription"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    testFireWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The subscription's id. */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestFireWebhookRequest"];
            };
        };
        responses: {
            /** @description Success: `WebhookDeliveryAttemptResponse`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryAttemptResponse"];
                };
            };
            400: components["responses"]["ValidationErrorsOrWebhookEventTypeNotSubscribed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundVendorWebhookSubscription"];
            422: components["responses"]["VendorWebhookSubscriptionInactive"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    redeliverEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The subscription's id. */
                id: components["parameters"]["SubscriptionId"];
                /** @description The attempt's id, from the list of deliveries. */
                attemptId: components["parameters"]["AttemptId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WebhookDeliverySuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundVendorWebhookSubscriptionOrNotFoundVendorWebhookDelivery"];
            422: components["responses"]["VendorWebhookDeliveryNotRedeliverable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    recoverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The subscription's id. */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoverWebhookRequest"];
            };
        };
        responses: {
            202: components["responses"]["WebhookRecoveryAccepted"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundVendorWebhookSubscription"];
            422: components["responses"]["VendorWebhookDeliveryNotRedeliverable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only events with a greater `sequence`. Start with 0 and continue with `nextAfter`. */
                after?: number;
                /** @description Only events of this type. */
                type?: "vendor.order.assigned" | "vendor.offer.review-decision" | "vendor.order.changed" | "vendor.offer.agreement-switched" | "vendor.return.requested" | "vendor.return.received" | "vendor.return.inspection-started" | "vendor.return.inspection-closing" | "vendor.return.decided" | "vendor.return.refund-released" | "vendor.webhook.disabled" | "vendor.webhook.delivery-dead-lettered";
                /** @description The seconds to wait for an event if there is none, 0 to 20. */
                wait?: number;
                /** @description The number of items on a page, 1 to 100. Any other number is refused. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["EventPageSuccess"];
            400: components["responses"]["InvalidQueryParameterOrInvalidPageSize"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["NotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listEventTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["EventTypesSuccess"];
            400: components["responses"]["UnknownQueryParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["NotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listUpcoming: {
        parameters: {
            query?: {
                /** @description The page number, counted from 1. A page beyond the last one is empty. */
                page?: components["parameters"]["Page"];
                /** @description The number of items on a page, 1 to 100. Any other number is refused. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Only this kind. */
                kind?: "ReturnInspectionStart" | "ReturnInspectionEnd" | "WebhookRetry" | "WebhookDeactivation" | "CredentialExpiry";
                /** @description Only changes before this instant. RFC 3339 with a time and an offset or `Z`. */
                before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["UpcomingPageSuccess"];
            400: components["responses"]["InvalidPageOrInvalidPageSizeOrInvalidQueryParameterOrInvalidDate"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["NotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listCredentials: {
        parameters: {
            query?: {
                /** @description The page number, counted from 1. A page beyond the last one is empty. */
                page?: components["parameters"]["Page"];
                /** @description The number of items on a page, 1 to 100. Any other number is refused. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header: {
                /** @description The environment of the credentials. `Production` is the only one of this gateway. */
                "X-Service-Environment": components["parameters"]["XServiceEnvironment"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success: `CredentialPageResponse`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialPageResponse"];
                };
            };
            400: components["responses"]["InvalidPageOrInvalidPageSizeOrValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["NotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createCredential: {
        parameters: {
            query?: never;
            header: {
                /** @description The environment of the credentials. `Production` is the only one of this gateway. */
                "X-Service-Environment": components["parameters"]["XServiceEnvironment"];
                /** @description A call with the key of an earlier one gets its response again and creates nothing, for 24 hours of real time. 1 to 255 visible ASCII characters, bare or in double quotes. See [repeating a call that creates](/docs/errors#repeating-a-call-that-creates). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCredentialRequest"];
            };
        };
        responses: {
            /** @description Created: `CreatedCredentialResponse`. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedCredentialResponse"];
                };
            };
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGrantedOrForbiddenCapabilityNotGrantedToVendor"];
            422: components["responses"]["VendorFirstCredentialRequiresOnboardingOrVendorCredentialLimitOrIdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The credential's id. */
                id: components["parameters"]["CredentialId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeletionSuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            404: components["responses"]["NotFoundVendorCredential"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    setCredentialActive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The credential's id. */
                id: components["parameters"]["CredentialId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetCredentialActiveRequest"];
            };
        };
        responses: {
            200: components["responses"]["CredentialSuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGrantedOrForbiddenCapabilityNotGrantedToVendor"];
            404: components["responses"]["NotFoundVendorCredential"];
            422: components["responses"]["VendorFirstCredentialRequiresOnboarding"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getVendorProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["VendorProfileSuccess"];
            400: components["responses"]["UnknownQueryParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["NotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    updateVendorProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateVendorProfileRequest"];
            };
        };
        responses: {
            200: components["responses"]["VendorProfileSuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCapabilityNotGranted"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    sandboxRegisterVendor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxRegisterVendorRequest"];
            };
        };
        responses: {
            201: components["responses"]["SandboxRegistrationCreated"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["UpstreamAuthFailed"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getSandboxClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SandboxClockSuccess"];
            400: components["responses"]["UnknownQueryParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["NotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    advanceSandboxClock: {
        parameters: {
            query?: never;
            header?: {
                /** @description A call with the key of an earlier one gets its response again and creates nothing, for 24 hours of real time. 1 to 255 visible ASCII characters, bare or in double quotes. See [repeating a call that creates](/docs/errors#repeating-a-call-that-creates). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdvanceSandboxClockRequest"];
            };
        };
        responses: {
            202: components["responses"]["SandboxClockAccepted"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["SandboxClockAdvancingOrSandboxClockLimitOrIdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    sandboxApproveOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The offer's id. */
                id: components["parameters"]["OfferId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SandboxApproveOfferRequest"];
            };
        };
        responses: {
            200: components["responses"]["OfferWithHistorySuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundVendorOffer"];
            409: components["responses"]["ConflictVersion"];
            422: components["responses"]["OfferPriceRequiredOrOfferInvalidTransition"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    sandboxRejectOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The offer's id. */
                id: components["parameters"]["OfferId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxRejectOfferRequest"];
            };
        };
        responses: {
            200: components["responses"]["OfferWithHistorySuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundVendorOffer"];
            409: components["responses"]["ConflictVersion"];
            422: components["responses"]["OfferInvalidTransition"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    sandboxApplyPendingPrice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The offer's id. */
                id: components["parameters"]["OfferId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OfferWithHistorySuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundVendorOffer"];
            409: components["responses"]["ConflictVersion"];
            422: components["responses"]["OfferNoPendingPrice"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    sandboxDiscardPendingPrice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The offer's id. */
                id: components["parameters"]["OfferId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OfferWithHistorySuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundVendorOffer"];
            409: components["responses"]["ConflictVersion"];
            422: components["responses"]["OfferNoPendingPrice"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    sandboxSuspendOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The offer's id. */
                id: components["parameters"]["OfferId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxSuspendOfferRequest"];
            };
        };
        responses: {
            200: components["responses"]["OfferWithHistorySuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundVendorOffer"];
            422: components["responses"]["OfferInvalidTransition"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    sandboxReinstateOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The offer's id. */
                id: components["parameters"]["OfferId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OfferWithHistorySuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundVendorOffer"];
            422: components["responses"]["OfferInvalidTransition"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    sandboxChangeAgreement: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxChangeAgreementRequest"];
            };
        };
        responses: {
            200: components["responses"]["VendorProfileSuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    sandboxCreateOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description A call with the key of an earlier one gets its response again and creates nothing, for 24 hours of real time. 1 to 255 visible ASCII characters, bare or in double quotes. See [repeating a call that creates](/docs/errors#repeating-a-call-that-creates). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SandboxCreateOrderRequest"];
            };
        };
        responses: {
            201: components["responses"]["FulfilmentGroupCreatedPending"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundVendorOffer"];
            422: components["responses"]["SandboxNothingToOrderOrIdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    sandboxDeliverShipment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The shipment's id. */
                groupId: components["parameters"]["ShipmentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FulfilmentGroupSuccessDelivered"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundFulfilmentGroup"];
            422: components["responses"]["FulfilmentGroupInvalidTransition"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    sandboxCancelShipment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The shipment's id. */
                groupId: components["parameters"]["ShipmentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FulfilmentGroupSuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundFulfilmentGroup"];
            422: components["responses"]["FulfilmentGroupInvalidTransition"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    sandboxCreateReturn: {
        parameters: {
            query?: never;
            header?: {
                /** @description A call with the key of an earlier one gets its response again and creates nothing, for 24 hours of real time. 1 to 255 visible ASCII characters, bare or in double quotes. See [repeating a call that creates](/docs/errors#repeating-a-call-that-creates). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxCreateReturnRequest"];
            };
        };
        responses: {
            201: components["responses"]["ReturnRequestCreatedInTransit"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundFulfilmentGroup"];
            422: components["responses"]["ReturnQuantityExceededOrIdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    sandboxApproveReturn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The return's id. */
                id: components["parameters"]["ReturnId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ReturnRequestSuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundReturnRequest"];
            422: components["responses"]["ReturnRequestInvalidTransition"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    sandboxMarkReturnInTransit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The return's id. */
                id: components["parameters"]["ReturnId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ReturnRequestSuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundReturnRequest"];
            422: components["responses"]["ReturnRequestInvalidTransition"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    sandboxReleaseRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The return's id. */
                id: components["parameters"]["ReturnId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ReturnRequestSuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundReturnRequest"];
            422: components["responses"]["ReturnRequestInvalidTransition"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    sandboxCloseReturn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The return's id. */
                id: components["parameters"]["ReturnId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ReturnRequestSuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundReturnRequest"];
            422: components["responses"]["ReturnRequestInvalidTransition"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    sandboxStartInspection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The return's id. */
                id: components["parameters"]["ReturnId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ReturnRequestSuccess"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundReturnRequest"];
            422: components["responses"]["ReturnRequestInvalidTransition"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    sandboxDecideInspection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The return's id. */
                id: components["parameters"]["ReturnId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxDecideInspectionRequest"];
            };
        };
        responses: {
            200: components["responses"]["ReturnRequestSuccessInspectionAccepted"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundReturnRequest"];
            422: components["responses"]["ReturnRequestInvalidTransition"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    sandboxReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: components["responses"]["SandboxResetAccepted"];
            400: components["responses"]["ValidationErrors"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["BodyNotRead"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    onVendorOrderAssigned: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same on every attempt and equal to `eventId`. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of this attempt, in whole seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description `v1,` and the HMAC-SHA256 in base64 of `webhook-id`, a dot, `webhook-timestamp`, a dot and the raw body. The key is the base64 part of the secret (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VendorOrderAssignedEvent"];
            };
        };
        responses: {
            410: components["responses"]["EventGone"];
            "2XX": components["responses"]["EventReceived"];
            default: components["responses"]["EventFailed"];
        };
    };
    onVendorOfferReviewDecision: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same on every attempt and equal to `eventId`. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of this attempt, in whole seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description `v1,` and the HMAC-SHA256 in base64 of `webhook-id`, a dot, `webhook-timestamp`, a dot and the raw body. The key is the base64 part of the secret (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VendorOfferReviewDecisionEvent"];
            };
        };
        responses: {
            410: components["responses"]["EventGone"];
            "2XX": components["responses"]["EventReceived"];
            default: components["responses"]["EventFailed"];
        };
    };
    onVendorOrderChanged: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same on every attempt and equal to `eventId`. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of this attempt, in whole seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description `v1,` and the HMAC-SHA256 in base64 of `webhook-id`, a dot, `webhook-timestamp`, a dot and the raw body. The key is the base64 part of the secret (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VendorOrderChangedEvent"];
            };
        };
        responses: {
            410: components["responses"]["EventGone"];
            "2XX": components["responses"]["EventReceived"];
            default: components["responses"]["EventFailed"];
        };
    };
    onVendorOfferAgreementSwitched: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same on every attempt and equal to `eventId`. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of this attempt, in whole seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description `v1,` and the HMAC-SHA256 in base64 of `webhook-id`, a dot, `webhook-timestamp`, a dot and the raw body. The key is the base64 part of the secret (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VendorOfferAgreementSwitchedEvent"];
            };
        };
        responses: {
            410: components["responses"]["EventGone"];
            "2XX": components["responses"]["EventReceived"];
            default: components["responses"]["EventFailed"];
        };
    };
    onVendorReturnRequested: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same on every attempt and equal to `eventId`. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of this attempt, in whole seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description `v1,` and the HMAC-SHA256 in base64 of `webhook-id`, a dot, `webhook-timestamp`, a dot and the raw body. The key is the base64 part of the secret (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VendorReturnRequestedEvent"];
            };
        };
        responses: {
            410: components["responses"]["EventGone"];
            "2XX": components["responses"]["EventReceived"];
            default: components["responses"]["EventFailed"];
        };
    };
    onVendorReturnReceived: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same on every attempt and equal to `eventId`. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of this attempt, in whole seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description `v1,` and the HMAC-SHA256 in base64 of `webhook-id`, a dot, `webhook-timestamp`, a dot and the raw body. The key is the base64 part of the secret (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VendorReturnReceivedEvent"];
            };
        };
        responses: {
            410: components["responses"]["EventGone"];
            "2XX": components["responses"]["EventReceived"];
            default: components["responses"]["EventFailed"];
        };
    };
    onVendorReturnInspectionStarted: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same on every attempt and equal to `eventId`. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of this attempt, in whole seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description `v1,` and the HMAC-SHA256 in base64 of `webhook-id`, a dot, `webhook-timestamp`, a dot and the raw body. The key is the base64 part of the secret (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VendorReturnInspectionStartedEvent"];
            };
        };
        responses: {
            410: components["responses"]["EventGone"];
            "2XX": components["responses"]["EventReceived"];
            default: components["responses"]["EventFailed"];
        };
    };
    onVendorReturnInspectionClosing: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same on every attempt and equal to `eventId`. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of this attempt, in whole seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description `v1,` and the HMAC-SHA256 in base64 of `webhook-id`, a dot, `webhook-timestamp`, a dot and the raw body. The key is the base64 part of the secret (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VendorReturnInspectionClosingEvent"];
            };
        };
        responses: {
            410: components["responses"]["EventGone"];
            "2XX": components["responses"]["EventReceived"];
            default: components["responses"]["EventFailed"];
        };
    };
    onVendorReturnDecided: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same on every attempt and equal to `eventId`. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of this attempt, in whole seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description `v1,` and the HMAC-SHA256 in base64 of `webhook-id`, a dot, `webhook-timestamp`, a dot and the raw body. The key is the base64 part of the secret (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VendorReturnDecidedEvent"];
            };
        };
        responses: {
            410: components["responses"]["EventGone"];
            "2XX": components["responses"]["EventReceived"];
            default: components["responses"]["EventFailed"];
        };
    };
    onVendorReturnRefundReleased: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same on every attempt and equal to `eventId`. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of this attempt, in whole seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description `v1,` and the HMAC-SHA256 in base64 of `webhook-id`, a dot, `webhook-timestamp`, a dot and the raw body. The key is the base64 part of the secret (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VendorReturnRefundReleasedEvent"];
            };
        };
        responses: {
            410: components["responses"]["EventGone"];
            "2XX": components["responses"]["EventReceived"];
            default: components["responses"]["EventFailed"];
        };
    };
    onVendorWebhookDisabled: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same on every attempt and equal to `eventId`. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of this attempt, in whole seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description `v1,` and the HMAC-SHA256 in base64 of `webhook-id`, a dot, `webhook-timestamp`, a dot and the raw body. The key is the base64 part of the secret (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VendorWebhookDisabledEvent"];
            };
        };
        responses: {
            410: components["responses"]["EventGone"];
            "2XX": components["responses"]["EventReceived"];
            default: components["responses"]["EventFailed"];
        };
    };
    onVendorWebhookDeliveryDeadLettered: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same on every attempt and equal to `eventId`. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of this attempt, in whole seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description `v1,` and the HMAC-SHA256 in base64 of `webhook-id`, a dot, `webhook-timestamp`, a dot and the raw body. The key is the base64 part of the secret (Standard Webhooks). */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VendorWebhookDeliveryDeadLetteredEvent"];
            };
        };
        responses: {
            410: components["responses"]["EventGone"];
            "2XX": components["responses"]["EventReceived"];
            default: components["responses"]["EventFailed"];
        };
    };
}
