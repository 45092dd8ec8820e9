// How much of everything a client can have. Generous for a page, too little for an attack on the training
// machine.
#pragma once

#include <chrono>
#include <cstddef>

namespace skyline::serve {

struct ServeLimits {
  // Clients with the token at a time; each costs a socket and some buffers. Further ones are told to come
  // back.
  size_t connections = 256;
  // Connections that have not shown the token: the oldest gives way to the next. As many as there are
  // clients, who may all come at once.
  size_t strangers = 256;
  // A request line and headers; browsers send below 2 KB.
  size_t header_bytes = 16 << 10;
  // One message of a client. Requests are below 1 KB; lists of tracks may reach some ten.
  size_t message_bytes = 1 << 20;
  // Requests a second and at once after a pause: twenty tiles a frame, sixty frames a second. Who asks faster
  // waits.
  double requests_per_second = 1200;
  double request_burst = 2400;
  // Requests of one client that are worked on or wait for it. Who asks for more waits.
  size_t in_flight = 64;
  // Answers that wait to be sent to one client: above the first, its requests wait; above the second it is
  // let go.
  size_t waiting_bytes = 8 << 20;
  size_t most_waiting_bytes = 64 << 20;
  // Threads for methods, and how many of them one client can hold.
  size_t threads = 4;
  size_t threads_per_client = 3;

  using Duration = std::chrono::milliseconds;
  Duration one_time_code{120'000};  // for a browser to start on a machine that is busy with training
  Duration handshake{10'000};       // to send a request, and to say hello to a WebSocket
  Duration idle{60'000};            // without a sign of life; half of it until a ping asks for one
  Duration write{30'000};           // to take one answer
  Duration linger{1'000};           // to read a refusal before the connection ends
};

}  // namespace skyline::serve
