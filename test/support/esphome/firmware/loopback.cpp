// Linked with -Wl,--wrap=bind: the firmware listens on every address, at the port of its configuration. A peer of a
// test must not, and gets its port from NODE_PORT.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdlib>

static in_port_t port_or(in_port_t given) {
  const char *text = std::getenv("NODE_PORT");
  return text == nullptr ? given : htons(static_cast<uint16_t>(std::atoi(text)));
}

extern "C" int __real_bind(int fd, const struct sockaddr *addr, socklen_t len);
extern "C" int __wrap_bind(int fd, const struct sockaddr *addr, socklen_t len) {
  if (addr->sa_family == AF_INET && len >= (socklen_t) sizeof(sockaddr_in)) {
    sockaddr_in a = *reinterpret_cast<const sockaddr_in *>(addr);
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    a.sin_port = port_or(a.sin_port);
    return __real_bind(fd, reinterpret_cast<const sockaddr *>(&a), sizeof(a));
  }
  if (addr->sa_family == AF_INET6 && len >= (socklen_t) sizeof(sockaddr_in6)) {
    sockaddr_in6 a = *reinterpret_cast<const sockaddr_in6 *>(addr);
    a.sin6_addr = in6addr_loopback;
    a.sin6_port = port_or(a.sin6_port);
    return __real_bind(fd, reinterpret_cast<const sockaddr *>(&a), sizeof(a));
  }
  return __real_bind(fd, addr, len);
}
