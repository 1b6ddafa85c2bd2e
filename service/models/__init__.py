"""What goes over the wire: requests are checked here and nowhere else, replies are described here and published as schemas."""
