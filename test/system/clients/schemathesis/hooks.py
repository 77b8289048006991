# What OpenAPI cannot say of the read API, so that a request which its document allows is one that the API accepts: a cursor comes
# from an answer before, and `missing` is a filter of the present.
import schemathesis


@schemathesis.hook("map_query")
def only_what_goes_together(context, query):
    if query:
        query.pop("cursor", None)
        if "at" in query:
            query.pop("missing", None)
    return query
