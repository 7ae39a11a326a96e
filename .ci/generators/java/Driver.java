// Calls the gateway with the client that openapi-generator writes.

import com.example.gateway.ApiClient;
import com.example.gateway.ApiException;
import com.example.gateway.api.OffersApi;
import com.example.gateway.api.TokenApi;
import com.example.gateway.model.*;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.UUID;

public class Driver {
  static void check(boolean isTrue, String name) {
    System.out.println((isTrue ? "ok " : "FAILED ") + name);
    if (!isTrue) System.exit(1);
  }

  static <T> T sample(String name, Class<T> type) throws Exception {
    String text = Files.readString(Path.of(System.getenv("SAMPLES"), name));
    return ApiClient.createDefaultObjectMapper().readValue(text, type);
  }

  interface Call {
    void run() throws ApiException;
  }

  /** The error of a call that fails. */
  static com.example.gateway.model.Error refused(Call call) throws Exception {
    try {
      call.run();
    } catch (ApiException error) {
      return ApiClient.createDefaultObjectMapper()
          .readValue(error.getResponseBody(), com.example.gateway.model.Error.class);
    }
    throw new IllegalStateException("not refused");
  }

  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("GATEWAY_URL"));
    Token token =
        new TokenApi(client)
            .createToken(
                new CreateTokenRequest()
                    .clientId(System.getenv("CLIENT_ID"))
                    .clientSecret(System.getenv("CLIENT_SECRET")))
            .getPayload();
    check(!token.getAccessToken().isEmpty(), "token");
    client.setRequestInterceptor(
        request -> request.header("Authorization", "Bearer " + token.getAccessToken()));
    OffersApi offers = new OffersApi(client);

    CreateOfferRequest body =
        new CreateOfferRequest()
            .rawBrandName("Maison Dahab")
            .rawProductName("Oud 50")
            .vendorExternalId("java")
            .cost(100.0)
            .costIsVatInclusive(false);
    UUID id = offers.createOffer(body, null, null).getPayload().getId();
    check(offers.createOffer(body, null, null).getPayload().getId().equals(id), "create");

    for (double amount : new double[] {1234567.89, 0.07, 9999999.99}) {
      PushCostRequest cost = new PushCostRequest().cost(amount).costIsVatInclusive(false);
      Double pushed = offers.pushCost(id, cost, null).getPayload().getCost().getAmount();
      Double read = offers.getOffer(id, null).getPayload().getCost().getAmount();
      check(pushed == amount && read == amount, "money " + java.math.BigDecimal.valueOf(amount));
    }

    OfferWithHistoryPage page =
        offers.listOffers(1L, 1, null, null, "java", null, null, null, null).getPayload();
    check(
        page.getPagination().getTotalCount() == 1 && page.getItems().get(0).getId().equals(id),
        "list");

    OffsetDateTime start = OffsetDateTime.parse("2000-01-01T00:00:00Z");
    OfferWithHistoryPageResponse first = changedSince(offers, start);
    OffsetDateTime position = first.getDetails().getNextChangedSince();
    int seen = changedSince(offers, position).getPayload().getItems().size();
    offers.pushCost(id, new PushCostRequest().cost(5.0).costIsVatInclusive(false), null);
    int changed = changedSince(offers, position).getPayload().getItems().size();
    check(first.getPayload().getItems().size() == 1 && seen == 0 && changed == 1, "delta");

    VendorOrderAssignedEvent event = sample("event.json", VendorOrderAssignedEvent.class);
    check(event.getData().getLines().get(0).getQuantity() == 2, "event");

    var invalid =
        refused(
            () ->
                offers.createOffer(
                    new CreateOfferRequest().cost(1.0).costIsVatInclusive(false), null, null));
    check(
        invalid.getState().equals("VALIDATION_ERRORS")
            && invalid.getDetails().getErrors().stream()
                .anyMatch(each -> each.getField().equals("RawBrandName")),
        "error details");
    var missing = refused(() -> offers.getOffer(UUID.randomUUID(), null));
    check(missing.getState().equals("NOT_FOUND_VENDOR_OFFER"), "error state");

    OfferWithHistory later = sample("later-offer.json", OfferWithHistory.class);
    check(later.getStatus().equals("ALaterStatus"), "later offer");
    VendorOrderAssignedEvent laterEvent =
        sample("later-event.json", VendorOrderAssignedEvent.class);
    check(laterEvent.getData().getStatus().equals("ALaterStatus"), "later event");
    check(
        sample("later-error.json", com.example.gateway.model.Error.class)
            .getState()
            .equals("A_LATER_CODE"),
        "later error");
  }

  static OfferWithHistoryPageResponse changedSince(OffersApi offers, OffsetDateTime position)
      throws ApiException {
    return offers.listOffers(null, null, null, null, null, position, null, null, null);
  }
}
