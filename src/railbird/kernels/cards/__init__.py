"""Cards: ranking, suit isomorphism, classes of holdings, random numbers."""
